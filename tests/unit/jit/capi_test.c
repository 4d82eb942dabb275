/* The C API as a C99 program sees it. On the CPU; with the argument `gpu` on a GPU. Expected values are closed forms.
 */
#include <pyk/pyk.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

static int failures = 0;
static pyk_backend backend = PYK_BACKEND_CPU;
static const pyk_device* device = NULL;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(++failures, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))
/* A call that succeeds. */
#define OK(call) succeeded((call), __LINE__, #call)
/* A call that fails, with that kind and these words. */
#define FAILS(call, kind, words) failed((call), (kind), (words), __LINE__, #call)

static void succeeded(pyk_error* error, int line, const char* call) {
    if (!error) return;
    ++failures;
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, pyk_error_message(error));
    pyk_error_free(error);
}

static void failed(pyk_error* error, pyk_error_kind kind, const char* words, int line, const char* call) {
    if (!error || pyk_error_get_kind(error) != kind || !strstr(pyk_error_message(error), words)) {
        ++failures;
        fprintf(stderr, "%s:%d: %s: kind %d, `%s`, and not kind %d, `%s`\n", __FILE__, line, call,
                (int)pyk_error_get_kind(error), pyk_error_message(error), (int)kind, words);
    }
    pyk_error_free(error);
}

static const char* const kText =
    "from numba import cuda\n"
    "import numpy as np\n"
    "I = 0\n"
    "F = 0.0\n"
    "B = False\n"
    "T = np.float64\n"
    "SHAPE = (1, 1)\n"
    "\n"
    "@cuda.jit\n"
    "def saxpy(a, x, y):\n"
    "    i = cuda.grid(1)\n"
    "    if i < y.size:\n"
    "        y[i] = a * x[i] + y[i]\n"
    "\n"
    "@cuda.jit\n"
    "def constants(out):\n"
    "    s = cuda.local.array(SHAPE, T)\n"
    "    s[0, 0] = 0.1\n"
    "    out[0] = I\n"
    "    out[1] = F\n"
    "    out[2] = 1 if B else 2\n"
    "    out[3] = s[0, 0]\n"
    "    out[4] = s.size\n"
    "\n"
    "@cuda.jit\n"
    "def scatter(x, y):\n"
    "    i, j = cuda.grid(2)\n"
    "    if i < x.shape[0] and j < x.shape[1]:\n"
    "        y[i, j] = x[i, j]\n"
    "\n"
    "@cuda.jit\n"
    "def limit(x, n):\n"
    "    i = cuda.grid(1)\n"
    "    if i < x.size:\n"
    "        assert x[i] < n, 'too large'\n"
    "\n"
    "@cuda.jit\n"
    "def race(x):\n"
    "    x[0] += cuda.grid(1)\n"
    "\n"
    "@cuda.jit\n"
    "def scalars(b, i1, u1, i8, u8, z, out):\n"
    "    out[0] = i1 + u1\n"
    "    out[1] = i8\n"
    "    out[2] = u8\n"
    "    out[3] = z.imag if b else 0\n"
    "\n"
    "@cuda.jit\n"
    "def sized(n, out):\n"
    "    s = cuda.local.array(n, 'float32')\n"
    "    out[0] = s.size\n"
    "\n"
    "@cuda.jit\n"
    "def bad(x):\n"
    "    x[0] = nothing\n";

static pyk_options* options(void) {
    pyk_options* made = NULL;
    OK(pyk_options_create(&made));
    OK(pyk_options_set(made, PYK_OPTION_BACKEND, backend));
    OK(pyk_options_set(made, PYK_OPTION_DISK_CACHE, 0));
    OK(pyk_options_set(made, PYK_OPTION_COARSEN, 0)); /* specialisations are counted */
    return made;
}

static pyk_module* load(pyk_options* with) {
    pyk_module* module = NULL;
    OK(pyk_load_text("kernels.pyk", kText, with, &module));
    pyk_options_free(with);
    return module;
}

static pyk_kernel* kernel_of(const pyk_module* module, const char* name) {
    pyk_kernel* kernel = NULL;
    OK(pyk_module_kernel(module, name, &kernel));
    return kernel;
}

static pyk_launch_config threads(uint32_t blocks, uint32_t size) {
    pyk_launch_config config = {0};
    config.grid[0] = blocks;
    config.block[0] = size;
    return config;
}

static pyk_argument real(pyk_element element, double value) {
    pyk_argument argument = {0};
    argument.element = element;
    argument.value.real = value;
    return argument;
}

static pyk_argument integer(pyk_element element, int64_t value) {
    pyk_argument argument = {0};
    argument.element = element;
    argument.value.integer = value;
    return argument;
}

static pyk_argument array(pyk_element element, void* data, int64_t size) {
    pyk_argument argument = {0};
    argument.element = element;
    argument.ndim = 1;
    argument.value.data = data;
    argument.shape[0] = size;
    return argument;
}

static pyk_argument in_buffer(pyk_element element, const pyk_buffer* buffer, int64_t size) {
    pyk_argument argument = array(element, pyk_buffer_address(buffer), size);
    argument.device = pyk_buffer_device(buffer);
    return argument;
}

static void test_host_arrays_and_names(void) {
    pyk_module* module = load(options());
    pyk_kernel* saxpy = kernel_of(module, "saxpy");
    pyk_launch_config config = threads(4, 256);
    pyk_report report;
    pyk_argument arguments[3];
    float x[N], y[N];
    int i, right = 0;

    CHECK(pyk_module_kernel_count(module) == 8);
    CHECK(strcmp(pyk_module_kernel_name(module, 1), "constants") == 0);
    CHECK(pyk_module_kernel_name(module, 8) == NULL);
    CHECK(strcmp(pyk_kernel_name(saxpy), "saxpy") == 0);
    CHECK(pyk_kernel_param_count(saxpy) == 3);
    CHECK(strcmp(pyk_kernel_param_name(saxpy, 2), "y") == 0);
    pyk_module_free(module); /* the kernel keeps what it needs */

    for (i = 0; i < N; ++i) x[i] = (float)i, y[i] = 1;
    arguments[0] = real(PYK_FLOAT32, 2);
    arguments[1] = array(PYK_FLOAT32, x, N);
    arguments[1].flags = PYK_READONLY;
    arguments[2] = array(PYK_FLOAT32, y, N);
    OK(pyk_launch_timed(saxpy, &config, arguments, 3, &report));
    for (i = 0; i < N; ++i) right += y[i] == (float)(2 * i + 1);
    CHECK(right == N);
    CHECK(report.written == 4);
    CHECK(report.compile_ms > 0);
    CHECK(report.backend == (backend == PYK_BACKEND_CPU ? PYK_BACKEND_CPU : PYK_BACKEND_CUDA));
    OK(pyk_launch(saxpy, &config, arguments, 3));
    CHECK(y[10] == 41);
    arguments[2].flags = PYK_READONLY;
    FAILS(pyk_launch(saxpy, &config, arguments, 3), PYK_ERROR_ARGUMENTS, "the kernel writes argument 3 (`y`)");
    FAILS(pyk_launch(saxpy, &config, arguments, SIZE_MAX), PYK_ERROR_ARGUMENTS, "kernel `saxpy` takes 3 arguments");
    pyk_kernel_free(saxpy);
}

static void test_options(void) {
    pyk_options* with = options();
    pyk_module* module;
    pyk_kernel* kernel;
    pyk_launch_config config = threads(1, 1);
    pyk_constant shape[2] = {{PYK_CONSTANT_INT, {0}}, {PYK_CONSTANT_INT, {0}}};
    pyk_argument argument;
    double out[5] = {0};

    shape[0].value.integer = 2;
    shape[1].value.integer = 3;
    OK(pyk_options_define_int(with, "I", 7));
    OK(pyk_options_define_float(with, "F", 0.25));
    OK(pyk_options_define_bool(with, "B", 1));
    OK(pyk_options_define_type(with, "T", "float32"));
    OK(pyk_options_define_tuple(with, "SHAPE", shape, 2));
    FAILS(pyk_options_set(with, PYK_OPTION_BACKEND, 9), PYK_ERROR_ARGUMENTS, "no such backend");
    FAILS(pyk_options_set(with, PYK_OPTION_DEBUG, 2), PYK_ERROR_ARGUMENTS, "0 or 1, not 2");
    FAILS(pyk_options_set(with, 99, 0), PYK_ERROR_ARGUMENTS, "no such option: 99");
    FAILS(pyk_options_define_type(with, "T", NULL), PYK_ERROR_ARGUMENTS, "pyk_options_define_type: `type` is NULL");
    module = load(with);
    kernel = kernel_of(module, "constants");
    argument = array(PYK_FLOAT64, out, 5);
    OK(pyk_launch(kernel, &config, &argument, 1));
    CHECK(out[0] == 7 && out[1] == 0.25 && out[2] == 1 && out[3] == (double)0.1f && out[4] == 6);
    pyk_kernel_free(kernel);
    pyk_module_free(module);
}

static void test_diagnostics(void) {
    pyk_module* module = NULL;
    pyk_kernel* kernel;
    pyk_launch_config config = threads(1, 1);
    pyk_argument argument;
    pyk_finding finding;
    pyk_raised raised;
    pyk_error* error;
    float x[1] = {0};

    FAILS(pyk_load_text("bad.pyk", "def f(:\n", NULL, &module), PYK_ERROR_DIAGNOSTICS,
          "bad.pyk:1:6: error: `(` was never");
    FAILS(pyk_load_file("/nowhere.pyk", NULL, &module), PYK_ERROR_INPUT_OUTPUT,
          "cannot read /nowhere.pyk: No such file");
    FAILS(pyk_load_file("/", NULL, &module), PYK_ERROR_INPUT_OUTPUT, "cannot read /");
    CHECK(module == NULL);

    module = load(options());
    FAILS(pyk_module_kernel(module, "saxp", &kernel), PYK_ERROR_ARGUMENTS,
          "there is no kernel `saxp`; there is `saxpy`");
    kernel = kernel_of(module, "bad");
    argument = array(PYK_FLOAT32, x, 1);
    error = pyk_launch(kernel, &config, &argument, 1);
    CHECK(pyk_error_get_kind(error) == PYK_ERROR_DIAGNOSTICS);
    CHECK(pyk_error_finding_count(error) == 1);
    CHECK(pyk_error_finding(error, 0, &finding) == 1);
    CHECK(strcmp(finding.file, "kernels.pyk") == 0 && finding.line == 55 && finding.column == 12);
    CHECK(strcmp(finding.severity, "error") == 0 && strcmp(finding.id, "unknown-name") == 0);
    CHECK(strcmp(finding.text, "`nothing` is not defined") == 0);
    CHECK(pyk_error_finding(error, 1, &finding) == 0);
    CHECK(pyk_error_raised(error, &raised) == 0);
    CHECK(strcmp(pyk_error_log(error), "") == 0);
    pyk_error_free(error);
    pyk_kernel_free(kernel);
    pyk_module_free(module);

    CHECK(pyk_error_get_kind(NULL) == PYK_OK && strcmp(pyk_error_message(NULL), "") == 0);
    CHECK(pyk_error_finding_count(NULL) == 0 && strcmp(pyk_error_emitted(NULL), "") == 0);
    pyk_error_free(NULL);
}

static void test_what_kernels_raise(void) {
    pyk_options* with = options();
    pyk_module* module;
    pyk_kernel* kernel;
    pyk_launch_config config = threads(1, 4);
    pyk_argument arguments[2];
    pyk_raised raised = {0};
    pyk_error* error;
    double x[3] = {1, 2, 30};

    OK(pyk_options_set(with, PYK_OPTION_DEBUG, 1));
    module = load(with);
    kernel = kernel_of(module, "limit");
    arguments[0] = array(PYK_FLOAT64, x, 3);
    arguments[1] = integer(PYK_INT64, 10);
    error = pyk_launch(kernel, &config, arguments, 2);
    CHECK(pyk_error_get_kind(error) == PYK_ERROR_EXECUTION);
    CHECK(pyk_error_raised(error, &raised) == 1);
    CHECK(raised.line == 35 && raised.thread[0] == 2 && raised.block[0] == 0);
    CHECK(raised.error && strcmp(raised.error, "AssertionError: too large") == 0);
    pyk_error_free(error);
    x[2] = 3;
    OK(pyk_launch(kernel, &config, arguments, 2));
    pyk_kernel_free(kernel);
    pyk_module_free(module);
}

static void test_buffers_and_strides(void) {
    pyk_module* module = load(options());
    pyk_kernel* kernel = kernel_of(module, "scatter");
    pyk_launch_config config = threads(1, 8);
    pyk_buffer *from = NULL, *to = NULL, *none = NULL;
    pyk_argument arguments[2];
    int32_t values[3][4], turned[4][3];
    int i, j, right = 0;

    for (i = 0; i < 3; ++i)
        for (j = 0; j < 4; ++j) values[i][j] = 10 * i + j;
    OK(pyk_buffer_allocate(device, sizeof values, PYK_MEMORY_DEVICE, NULL, &from));
    OK(pyk_buffer_allocate(device, sizeof turned, PYK_MEMORY_DEVICE, NULL, &to));
    CHECK(pyk_buffer_size(from) == 48 && pyk_buffer_device(from) == device);
    OK(pyk_buffer_upload(from, 0, values, sizeof values, NULL));
    OK(pyk_buffer_fill(to, 0xFF, NULL));
    FAILS(pyk_buffer_upload(from, 4, values, sizeof values, NULL), PYK_ERROR_ARGUMENTS, "");
    FAILS(pyk_buffer_allocate(device, 8, 17, NULL, &none), PYK_ERROR_ARGUMENTS, "no such kind of memory: 17");
    FAILS(pyk_buffer_allocate(device, UINT64_C(1) << 60, PYK_MEMORY_DEVICE, NULL, &none), PYK_ERROR_MEMORY, "");

    /* y = x transposed, but for y's last row */
    arguments[0] = in_buffer(PYK_INT32, from, 4);
    arguments[0].ndim = 2;
    arguments[0].order = PYK_ORDER_FORTRAN;
    arguments[0].shape[0] = 4;
    arguments[0].shape[1] = 3;
    arguments[1] = in_buffer(PYK_INT32, to, 4);
    arguments[1].ndim = 2;
    arguments[1].order = PYK_ORDER_STRIDED;
    arguments[1].shape[1] = 3;
    arguments[1].strides[0] = 12;
    arguments[1].strides[1] = 4;
    arguments[0].shape[0] = 3;
    arguments[0].order = PYK_ORDER_STRIDED;
    arguments[0].strides[0] = 4;
    arguments[0].strides[1] = 16;
    config.block[1] = 8;
    OK(pyk_launch(kernel, &config, arguments, 2));
    OK(pyk_buffer_download(to, 0, turned, sizeof turned, NULL));
    OK(pyk_device_synchronize(device));
    for (i = 0; i < 3; ++i)
        for (j = 0; j < 3; ++j) right += turned[i][j] == 10 * j + i;
    CHECK(right == 9);
    CHECK(turned[3][0] == -1 && turned[3][2] == -1);
    pyk_buffer_free(from);
    pyk_buffer_free(to);
    pyk_buffer_free(NULL);

    arguments[0].shape[1] = -3;
    FAILS(pyk_launch(kernel, &config, arguments, 2), PYK_ERROR_ARGUMENTS,
          "argument 1: an array with a negative extent");
    arguments[0].ndim = 33;
    FAILS(pyk_launch(kernel, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "argument 1: an array has 1 to 32 axes");
    arguments[0].element = 99;
    FAILS(pyk_launch(kernel, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "argument 1: no such element type");
    pyk_kernel_free(kernel);
    pyk_module_free(module);
}

static void test_introspection(pyk_specializations* list) {
    const char *text = NULL, *again = NULL;
    double share = 0;
    int32_t threads = 0;
    uint64_t stored = 1, loaded = 1;

    OK(pyk_specializations_text(list, 0, PYK_TEXT_TYPED_IR, &text));
    CHECK(strstr(text, "float64") != NULL);
    OK(pyk_specializations_text(list, 0, PYK_TEXT_TYPED_IR, &again));
    CHECK(text == again);
    OK(pyk_specializations_occupancy(list, 0, 256, 0, &share));
    CHECK(share > 0 && share <= 1);
    OK(pyk_specializations_best_block(list, 0, 0, &threads));
    CHECK(threads > 0 && threads <= 1024);
    FAILS(pyk_specializations_text(list, 0, 7, &text), PYK_ERROR_ARGUMENTS, "no such kind of text: 7");
    FAILS(pyk_specializations_text(list, 9, PYK_TEXT_PTX, &text), PYK_ERROR_ARGUMENTS, "there are ");
    FAILS(pyk_specializations_occupancy(list, 0, 0, 0, &share), PYK_ERROR_ARGUMENTS, "a block has threads");
    if (backend == PYK_BACKEND_CPU) {
        FAILS(pyk_specializations_text(list, 0, PYK_TEXT_PTX, &text), PYK_ERROR_ARGUMENTS, "the CPU has no PTX");
        FAILS(pyk_specializations_text(list, 0, PYK_TEXT_SASS, &text), PYK_ERROR_ARGUMENTS, "the CPU has no SASS");
        FAILS(pyk_specializations_spills(list, 0, &stored, &loaded), PYK_ERROR_ARGUMENTS, "the CPU's registers");
        return;
    }
    OK(pyk_specializations_text(list, 0, PYK_TEXT_PTX, &text));
    CHECK(strstr(text, ".entry pyk_saxpy_f8_a1f8c_a1f8c") != NULL);
    OK(pyk_specializations_spills(list, 0, &stored, &loaded));
    CHECK(stored == 0 && loaded == 0);
}

static void test_streams_graphs_and_specializations(void) {
    pyk_module* module = load(options());
    pyk_kernel* saxpy = kernel_of(module, "saxpy");
    pyk_launch_config config = threads(1, 32);
    pyk_stream *stream = NULL, *other = NULL;
    pyk_event *start = NULL, *end = NULL;
    pyk_graph* graph = NULL;
    pyk_preload* preload = NULL;
    pyk_specializations* list = NULL;
    pyk_specialization one;
    pyk_buffer* buffer = NULL;
    pyk_argument arguments[3];
    const double host[2] = {1, 2};
    double back[2] = {0}, ms = -1;
    int32_t is_done = 0;

    OK(pyk_stream_create(device, 0, &stream));
    OK(pyk_buffer_allocate(device, sizeof host, PYK_MEMORY_POOLED, stream, &buffer));
    OK(pyk_buffer_upload(buffer, 0, host, sizeof host, stream));
    arguments[0] = real(PYK_FLOAT64, 1);
    arguments[1] = arguments[2] = in_buffer(PYK_FLOAT64, buffer, 2);
    config.stream = stream;

    OK(pyk_kernel_preload(saxpy, "float64, float64[::1], float64[::1]", device, &preload));
    OK(pyk_preload_wait(preload));
    CHECK(pyk_preload_is_done(preload) == 1);
    pyk_preload_free(preload);
    OK(pyk_kernel_preload(saxpy, "floaty", device, &preload));
    FAILS(pyk_preload_wait(preload), PYK_ERROR_ARGUMENTS, "floaty");
    pyk_preload_free(preload);

    /* y = y + y, three times captured, twice launched: times 2^6 */
    OK(pyk_stream_begin_capture(stream));
    OK(pyk_launch(saxpy, &config, arguments, 3));
    OK(pyk_launch(saxpy, &config, arguments, 3));
    OK(pyk_forall(saxpy, 2, stream, 0, arguments, 3));
    OK(pyk_stream_end_capture(stream, &graph));
    OK(pyk_event_create(device, &start));
    OK(pyk_event_create(device, &end));
    OK(pyk_event_record(start, stream));
    OK(pyk_graph_launch(graph, stream));
    OK(pyk_graph_launch(graph, stream));
    OK(pyk_event_record(end, stream));
    OK(pyk_stream_create(device, 0, &other));
    OK(pyk_stream_wait(other, end));
    OK(pyk_event_wait(end));
    OK(pyk_event_is_done(end, &is_done));
    CHECK(is_done == 1);
    OK(pyk_event_elapsed_ms(start, end, &ms));
    CHECK(ms >= 0);
    OK(pyk_buffer_download(buffer, 0, back, sizeof back, other));
    OK(pyk_stream_synchronize(other));
    CHECK(back[0] == 64 && back[1] == 128);

    OK(pyk_kernel_specializations(saxpy, &list));
    /* On a GPU there is one for arrays that do not overlap as well. */
    CHECK(pyk_specializations_count(list) == (backend == PYK_BACKEND_CPU ? 1 : 2));
    OK(pyk_specializations_get(list, 0, &one));
    CHECK(strcmp(one.signature, "saxpy(float64, float64[::1], float64[::1])") == 0);
    CHECK(strstr(one.emitted, one.symbol) != NULL);
    CHECK(one.device == device && one.is_from_cache == 0 && one.compile_ms > 0);
    CHECK(backend == PYK_BACKEND_CPU || one.registers > 0);
    FAILS(pyk_specializations_get(list, 2, &one), PYK_ERROR_ARGUMENTS, "pyk_specializations_get: there are ");
    test_introspection(list);
    pyk_specializations_free(list);

    pyk_buffer_free(buffer);
    pyk_graph_free(graph);
    pyk_event_free(start);
    pyk_event_free(end);
    pyk_stream_free(other);
    pyk_stream_free(stream);
    pyk_kernel_free(saxpy);
    pyk_module_free(module);
}

/* Streams and events as CUDA knows them. On the CPU a handle is pyk's own. */
static void test_handles(void) {
    pyk_stream *stream = NULL, *borrowed = NULL;
    pyk_event* event = NULL;
    pyk_buffer* buffer = NULL;
    const double host[2] = {1, 2};
    double back[2] = {0};
    int32_t is_done = 0;

    OK(pyk_stream_create(device, 0, &stream));
    OK(pyk_stream_borrow(device, pyk_stream_handle(stream), &borrowed));
    CHECK(pyk_stream_handle(stream) != NULL && pyk_stream_handle(borrowed) == pyk_stream_handle(stream));
    OK(pyk_event_create(device, &event));
    CHECK(backend == PYK_BACKEND_CPU || pyk_event_handle(event) != NULL);
    CHECK(pyk_stream_handle(NULL) == NULL && pyk_event_handle(NULL) == NULL);
    OK(pyk_buffer_allocate(device, sizeof host, PYK_MEMORY_DEVICE, NULL, &buffer));
    OK(pyk_buffer_upload(buffer, 0, host, sizeof host, borrowed));
    OK(pyk_event_record(event, borrowed));
    pyk_stream_free(borrowed); /* theirs is still there */
    OK(pyk_event_wait(event));
    OK(pyk_event_is_done(event, &is_done));
    CHECK(is_done == 1);
    OK(pyk_buffer_download(buffer, 0, back, sizeof back, stream));
    OK(pyk_stream_synchronize(stream));
    CHECK(back[0] == 1 && back[1] == 2);
    pyk_buffer_free(buffer);
    pyk_event_free(event);
    pyk_stream_free(stream);

    if (backend == PYK_BACKEND_CPU) {
        OK(pyk_stream_borrow(device, (void*)back, &borrowed));
        FAILS(pyk_stream_synchronize(borrowed), PYK_ERROR_ARGUMENTS, "none of the CPU's");
        pyk_stream_free(borrowed);
    }
    FAILS(pyk_stream_borrow(device, NULL, NULL), PYK_ERROR_ARGUMENTS, "pyk_stream_borrow: `out` is NULL");
}

static void test_scalars(void) {
    pyk_module* module = load(options());
    pyk_kernel* kernel = kernel_of(module, "scalars");
    pyk_launch_config config = threads(1, 1);
    pyk_argument arguments[7];
    double out[4] = {0};

    memset(arguments, 0, sizeof arguments);
    arguments[0].element = PYK_BOOL;
    arguments[0].value.boolean = 1;
    arguments[1] = integer(PYK_INT8, -128);
    arguments[2].element = PYK_UINT8;
    arguments[2].value.natural = 255;
    arguments[3] = integer(PYK_INT64, -(INT64_C(1) << 40));
    arguments[4].element = PYK_UINT64;
    arguments[4].value.natural = UINT64_C(1) << 63;
    arguments[5].element = PYK_COMPLEX128;
    arguments[5].value.complex_parts[1] = 0.5;
    arguments[6] = array(PYK_FLOAT64, out, 4);
    OK(pyk_launch(kernel, &config, arguments, 7));
    CHECK(out[0] == 127 && out[1] == -1099511627776.0 && out[2] == 9223372036854775808.0 && out[3] == 0.5);
    arguments[1].value.integer = -129;
    FAILS(pyk_launch(kernel, &config, arguments, 7), PYK_ERROR_ARGUMENTS, "argument 2: -129 does not fit int8");
    arguments[1].value.integer = 128;
    FAILS(pyk_launch(kernel, &config, arguments, 7), PYK_ERROR_ARGUMENTS, "argument 2: 128 does not fit int8");
    arguments[1].value.integer = 127;
    arguments[2].value.natural = 256;
    FAILS(pyk_launch(kernel, &config, arguments, 7), PYK_ERROR_ARGUMENTS, "argument 3: 256 does not fit uint8");
    FAILS(pyk_launch(kernel, &config, arguments, 1), PYK_ERROR_ARGUMENTS, "takes 7 arguments, not 1");
    FAILS(pyk_launch(kernel, NULL, arguments, 7), PYK_ERROR_ARGUMENTS, "pyk_launch: `config` is NULL");
    config.reserved[3] = 1;
    arguments[2].value.natural = 1;
    FAILS(pyk_launch(kernel, &config, arguments, 7), PYK_ERROR_ARGUMENTS, "`reserved` is not zero");
    pyk_kernel_free(kernel);
    pyk_module_free(module);
}

static void test_numbers_compiled_in(void) {
    pyk_module* module = load(options());
    pyk_kernel* kernel = kernel_of(module, "sized");
    pyk_specializations* list = NULL;
    pyk_launch_config config = threads(1, 1);
    pyk_argument arguments[2];
    double out[1] = {0};
    int n;

    arguments[1] = array(PYK_FLOAT64, out, 1);
    for (n = 5; n <= 6; ++n) {
        arguments[0] = integer(PYK_INT64, n);
        arguments[0].flags = PYK_COMPILED_IN;
        OK(pyk_launch(kernel, &config, arguments, 2));
        CHECK(out[0] == n);
    }
    OK(pyk_kernel_specializations(kernel, &list));
    CHECK(pyk_specializations_count(list) == 2);
    pyk_specializations_free(list);
    arguments[1].flags = PYK_COMPILED_IN;
    FAILS(pyk_launch(kernel, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "argument 2: an array cannot be compiled in");
    arguments[0] = real(PYK_FLOAT16, 1);
    arguments[0].flags = PYK_COMPILED_IN;
    FAILS(pyk_launch(kernel, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "argument 1: no float16 can be compiled in");
    arguments[0].flags = 16;
    FAILS(pyk_launch(kernel, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "argument 1: no such flag");
    pyk_kernel_free(kernel);
    pyk_module_free(module);
}

struct told {
    int warnings, races, releases;
};

static void on_warning(void* context, const char* category, const char* text) {
    struct told* told = context;
    ++told->warnings;
    if (strcmp(category, "compile") == 0 && strstr(text, "[race]")) ++told->races;
}
static void release(void* context) { ++((struct told*)context)->releases; }

static void test_warnings(void) {
    struct told told = {0};
    pyk_options* with = options();
    pyk_module* module;
    pyk_kernel* kernel;
    pyk_buffer* buffer = NULL;
    pyk_launch_config config = threads(1, 1);
    pyk_argument argument;

    OK(pyk_options_on_warning(with, on_warning, &told, release));
    module = load(with);
    kernel = kernel_of(module, "race");
    OK(pyk_buffer_allocate(device, 8, PYK_MEMORY_DEVICE, NULL, &buffer));
    argument = in_buffer(PYK_FLOAT64, buffer, 1);
    OK(pyk_launch(kernel, &config, &argument, 1));
    CHECK(told.warnings == 1 && told.races == 1);
    pyk_module_free(module);
    CHECK(told.releases == 0);
    pyk_kernel_free(kernel);
    CHECK(told.releases == 1);
    pyk_buffer_free(buffer);
    FAILS(pyk_options_on_warning(NULL, on_warning, &told, release), PYK_ERROR_ARGUMENTS, "`options` is NULL");
    CHECK(told.releases == 2);
}

static void write_file(const char* path, const char* text) {
    FILE* file = fopen(path, "w");
    CHECK(file != NULL);
    if (!file) return;
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

static void test_files_of_options(void) {
    static const char* const text =
        "from numba import cuda\nfrom capi_import import OFFSET\n\n@cuda.jit\ndef k(x):\n    x[0] += OFFSET\n";
    const char* const link = backend == PYK_BACKEND_CPU ? "capi_link.cpp" : "capi_link.cu";
    pyk_options* with = options();
    pyk_module* module = NULL;
    pyk_kernel* kernel = NULL;
    pyk_launch_config config = threads(1, 1);
    pyk_argument argument;
    pyk_error* error;
    double x[1] = {1};

    argument = array(PYK_FLOAT64, x, 1);
    write_file("capi_import.pyk", "OFFSET = 2.5\n");
    OK(pyk_load_text("/nowhere/k.pyk", text, with, &module));
    OK(pyk_module_kernel(module, "k", &kernel));
    FAILS(pyk_launch(kernel, &config, &argument, 1), PYK_ERROR_DIAGNOSTICS, "OFFSET");
    pyk_kernel_free(kernel);
    pyk_module_free(module);
    OK(pyk_options_add_import_folder(with, "."));
    OK(pyk_load_text("/nowhere/k.pyk", text, with, &module));
    OK(pyk_module_kernel(module, "k", &kernel));
    OK(pyk_launch(kernel, &config, &argument, 1));
    CHECK(x[0] == 3.5);
    pyk_kernel_free(kernel);
    pyk_module_free(module);
    OK(pyk_options_add_import_folder(with, "/nowhere"));
    FAILS(pyk_load_text("k.pyk", text, with, &module), PYK_ERROR_ARGUMENTS, "there is no folder /nowhere");
    pyk_options_free(with);
    remove("capi_import.pyk");

    /* Code to link that its compiler refuses: the error has what the compiler wrote, and which compiler it was. */
    write_file(link, "this is no C++\n");
    with = options();
    OK(pyk_options_add_link(with, link));
    module = load(with);
    kernel = kernel_of(module, "race");
    error = pyk_launch(kernel, &config, &argument, 1);
    CHECK(pyk_error_get_kind(error) == PYK_ERROR_DIAGNOSTICS);
    CHECK(strstr(pyk_error_log(error), link) != NULL);
    CHECK(strlen(pyk_error_versions(error)) > 0);
    pyk_error_free(error);
    pyk_kernel_free(kernel);
    pyk_module_free(module);
    remove(link);
    with = options();
    OK(pyk_options_add_link(with, "/nowhere.cu"));
    FAILS(pyk_load_text("k.pyk", text, with, &module), PYK_ERROR_ARGUMENTS, "cannot read /nowhere.cu");
    pyk_options_free(with);
    CHECK(strcmp(pyk_error_versions(NULL), "") == 0);

    FAILS(pyk_options_add_import_folder(NULL, "."), PYK_ERROR_ARGUMENTS, "`options` is NULL");
    FAILS(pyk_options_add_link(NULL, "."), PYK_ERROR_ARGUMENTS, "`options` is NULL");
    with = options();
    FAILS(pyk_options_add_import_folder(with, NULL), PYK_ERROR_ARGUMENTS, "`path` is NULL");
    FAILS(pyk_options_add_link(with, NULL), PYK_ERROR_ARGUMENTS, "pyk_options_add_link: `path` is NULL");
    pyk_options_free(with);
}

static void test_warnings_as_errors(void) {
    pyk_options* with = options();
    pyk_module* module = NULL;
    pyk_kernel* kernel;
    pyk_launch_config config = threads(1, 1);
    pyk_argument argument;
    double x[1] = {0};

    argument = array(PYK_FLOAT64, x, 1);
    OK(pyk_options_add_warning(with, "error=race"));
    module = load(with);
    kernel = kernel_of(module, "race");
    FAILS(pyk_launch(kernel, &config, &argument, 1), PYK_ERROR_DIAGNOSTICS, "[race]");
    pyk_kernel_free(kernel);
    pyk_module_free(module);
    with = options();
    OK(pyk_options_add_warning(with, "no-such-warning"));
    FAILS(pyk_load_text("kernels.pyk", kText, with, &module), PYK_ERROR_ARGUMENTS, "such-warning");
    FAILS(pyk_options_add_warning(with, NULL), PYK_ERROR_ARGUMENTS, "`warning` is NULL");
    FAILS(pyk_options_add_warning(NULL, "perf"), PYK_ERROR_ARGUMENTS, "`options` is NULL");
    pyk_options_free(with);
}

struct printed {
    char text[256];
    size_t size;
    int lines, releases;
};

static void on_print(void* context, const char* text, size_t size) {
    struct printed* printed = context;
    ++printed->lines;
    if (printed->size + size > sizeof printed->text) return;
    memcpy(printed->text + printed->size, text, size);
    printed->size += size;
}
static void release_printed(void* context) { ++((struct printed*)context)->releases; }

static void test_prints(void) {
    static const char* const text =
        "from numba import cuda\n\n@cuda.jit\ndef say(n, x):\n    for i in range(n):\n        print('x', i, x, n > "
        "i)\n";
    static const char* const expected = "x 0 0.250000 True\nx 1 0.250000 True\n";
    struct printed printed = {0};
    pyk_options* with = options();
    pyk_module* module = NULL;
    pyk_kernel* say = NULL;
    pyk_argument arguments[2] = {{0}};
    pyk_launch_config config = {0};
    arguments[0].element = PYK_INT32;
    arguments[0].value.integer = 2;
    arguments[1].element = PYK_FLOAT64;
    arguments[1].value.real = 0.25;
    config.grid[0] = config.block[0] = 1;
    OK(pyk_options_on_print(with, on_print, &printed, release_printed));
    OK(pyk_options_set(with, PYK_OPTION_PRINT_BUFFER, 65536));
    OK(pyk_load_text("say.pyk", text, with, &module));
    OK(pyk_module_kernel(module, "say", &say));
    OK(pyk_launch(say, &config, arguments, 2));
    OK(pyk_device_synchronize(device));
    CHECK(printed.lines == 2 && printed.size == strlen(expected) && !memcmp(printed.text, expected, printed.size));
    pyk_kernel_free(say);
    pyk_module_free(module);
    pyk_options_free(with);
    CHECK(printed.releases == 1);
    FAILS(pyk_options_on_print(NULL, on_print, &printed, release_printed), PYK_ERROR_ARGUMENTS, "`options` is NULL");
    CHECK(printed.releases == 2);
}

struct particle {
    int32_t id;
    float path[3];
    double mass;
};

static void test_records_dates_and_none(void) {
    static const char* const text =
        "import numpy as np\n"
        "from numba import cuda, from_dtype\n"
        "particle = from_dtype(np.dtype([('id', 'i4'), ('path', 'f4', (3,)), ('mass', 'f8')], align=True))\n"
        "\n"
        "@cuda.jit\n"
        "def step(ps, p, n, total):\n"
        "    i = cuda.grid(1)\n"
        "    ps[i].path[1] += p.path[2]\n"
        "    cuda.atomic.add(total, (), ps[i].mass * (2 if n is None else n))\n"
        "\n"
        "@cuda.jit\n"
        "def later(t, d):\n"
        "    t[cuda.grid(1)] += d\n";
    static const pyk_field fields[] = {{"id", "int32", offsetof(struct particle, id), 0, 0, {0}},
                                       {"path", "float32", offsetof(struct particle, path), 1, 0, {3}},
                                       {"mass", "float64", offsetof(struct particle, mass), 0, 0, {0}}};
    struct particle particles[2] = {{1, {1, 2, 3}, 10}, {2, {4, 5, 6}, 20}};
    const struct particle one = {3, {7, 8, 0.5f}, 0};
    int64_t days[1] = {19723}, delta = 2;
    double total = 1;
    const pyk_type *record = NULL, *date = NULL, *duration = NULL;
    pyk_options* with = options();
    pyk_module* module = NULL;
    pyk_kernel *step = NULL, *later = NULL;
    pyk_launch_config config = threads(1, 2);
    pyk_argument arguments[4] = {{0}};

    OK(pyk_type_record(fields, 3, sizeof(struct particle), 8, &record));
    CHECK(!strcmp(pyk_type_text(record),
                  "Record(id[type=int32;offset=0],path[type=nestedarray(float32, (3,));offset=4],"
                  "mass[type=float64;offset=16];24;True)"));
    OK(pyk_type_named("datetime64[D]", 8, 8, &date));
    OK(pyk_type_named("timedelta64[D]", 8, 8, &duration));
    OK(pyk_load_text("records.pyk", text, with, &module));
    OK(pyk_module_kernel(module, "step", &step));
    OK(pyk_module_kernel(module, "later", &later));
    arguments[0] = array(PYK_NAMED, particles, 2);
    arguments[0].type = record;
    arguments[1].element = PYK_NAMED;
    arguments[1].type = record;
    arguments[1].value.data = (void*)&one;
    arguments[2].element = PYK_NONE;
    arguments[3].element = PYK_FLOAT64;
    arguments[3].order = PYK_ORDER_CELL;
    arguments[3].value.data = &total;
    OK(pyk_launch(step, &config, arguments, 4));
    CHECK(particles[0].path[1] == 2.5f && particles[1].path[1] == 5.5f && particles[1].path[2] == 6);
    CHECK(total == 1 + 2 * 30);
    arguments[2] = integer(PYK_INT32, 3);
    OK(pyk_launch(step, &config, arguments, 4));
    CHECK(total == 61 + 3 * 30);

    arguments[0] = array(PYK_NAMED, days, 1);
    arguments[0].type = date;
    arguments[1].type = duration;
    arguments[1].value.data = &delta;
    config = threads(1, 1);
    OK(pyk_launch(later, &config, arguments, 2));
    CHECK(days[0] == 19725);

    arguments[1].value.data = NULL;
    FAILS(pyk_launch(later, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "argument 2: `value.data` is NULL");
    arguments[1].type = NULL;
    FAILS(pyk_launch(later, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "`type` is for PYK_NAMED");
    arguments[1] = array(PYK_NONE, days, 1);
    FAILS(pyk_launch(later, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "there are no arrays of None");
    arguments[1] = integer(PYK_INT64, 1);
    arguments[1].reserved[0] = 1;
    FAILS(pyk_launch(later, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "`reserved` is not zero");
    OK(pyk_type_named("no type", 8, 8, &date));
    arguments[1] = array(PYK_NAMED, days, 1);
    arguments[1].type = date;
    FAILS(pyk_launch(later, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "`no type` of 8 bytes");
    char deep[80000] = "";
    for (size_t i = 0; i + 5 < sizeof deep; i += 5) memcpy(deep + i, "P(a: ", 5);
    OK(pyk_type_named(deep, 8, 8, &date));
    arguments[1].type = date;
    FAILS(pyk_launch(later, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "of 8 bytes");
    pyk_kernel_free(step);
    pyk_kernel_free(later);
    pyk_module_free(module);
    pyk_options_free(with);
}

/* As dlpack.h has them. */
struct tensor {
    void* data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};
struct DLManagedTensorVersioned {
    uint32_t major, minor;
    void* context;
    void (*deleter)(struct DLManagedTensorVersioned* self);
    uint64_t flags;
    struct tensor tensor;
};
struct DLManagedTensor {
    struct tensor tensor;
    void* context;
    void (*deleter)(struct DLManagedTensor* self);
};

static void test_dlpack_and_adopted_memory(void) {
    double memory[6] = {1, 2, 3, 4, 5, 6}, out[6] = {0};
    int64_t shape[2] = {2, 3}, columns[2] = {1, 2};
    struct DLManagedTensorVersioned theirs = {1, 0, NULL, NULL, 0, {NULL, 1, 0, 2, 2, 64, 1, NULL, NULL, 8}};
    struct DLManagedTensor legacy;
    struct DLManagedTensorVersioned* ours = NULL;
    struct DLManagedTensor* older = NULL;
    struct told told = {0};
    pyk_module* module = load(options());
    pyk_kernel* scatter = kernel_of(module, "scatter");
    pyk_launch_config config = threads(1, 8);
    pyk_argument arguments[2] = {{0}};
    pyk_buffer* buffer = NULL;

    /* Theirs, in host memory, transposed and from its second element on. */
    theirs.tensor.data = memory;
    theirs.tensor.shape = columns;
    theirs.tensor.strides = shape; /* (2, 3) elements */
    OK(pyk_argument_from_dlpack(&theirs, &arguments[0]));
    CHECK(arguments[0].element == PYK_FLOAT64 && arguments[0].ndim == 2 && arguments[0].device == NULL);
    CHECK(arguments[0].value.data == memory + 1 && arguments[0].strides[0] == 16 && arguments[0].strides[1] == 24);
    arguments[1] = arguments[0];
    arguments[1].value.data = out;
    config.block[1] = 8;
    OK(pyk_launch(scatter, &config, arguments, 2));
    CHECK(out[0] == 2 && out[1] == 0 && out[3] == 5);
    theirs.flags = 1;
    OK(pyk_argument_from_dlpack(&theirs, &arguments[1]));
    FAILS(pyk_launch(scatter, &config, arguments, 2), PYK_ERROR_ARGUMENTS, "which is const");
    theirs.major = 2;
    FAILS(pyk_argument_from_dlpack(&theirs, &arguments[0]), PYK_ERROR_ARGUMENTS, "version 2");
    memset(&legacy, 0, sizeof legacy);
    legacy.tensor = theirs.tensor;
    legacy.tensor.strides = NULL;
    OK(pyk_argument_from_legacy_dlpack(&legacy, &arguments[0]));
    CHECK(arguments[0].strides[0] == 16 && arguments[0].strides[1] == 8);
    legacy.tensor.bits = 4;
    FAILS(pyk_argument_from_legacy_dlpack(&legacy, &arguments[0]), PYK_ERROR_ARGUMENTS, "no kernel takes elements");

    /* Ours. */
    OK(pyk_buffer_allocate(device, sizeof memory, PYK_MEMORY_DEVICE, NULL, &buffer));
    FAILS(pyk_buffer_to_dlpack(&buffer, PYK_FLOAT64, 1, (const int64_t[]){7}, &ours), PYK_ERROR_ARGUMENTS,
          "beyond the end");
    FAILS(pyk_buffer_to_dlpack(&buffer, PYK_NAMED, 2, shape, &ours), PYK_ERROR_ARGUMENTS, "no such element type");
    OK(pyk_buffer_to_dlpack(&buffer, PYK_FLOAT64, 2, shape, &ours));
    CHECK(buffer == NULL && ours->major == 1 && ours->tensor.ndim == 2 && ours->tensor.shape[1] == 3);
    CHECK(ours->tensor.strides[0] == 3 && ours->tensor.code == 2 && ours->tensor.bits == 64);
    CHECK(ours->tensor.device_type == (backend == PYK_BACKEND_CPU ? 1 : 2));
    OK(pyk_argument_from_dlpack(ours, &arguments[0]));
    CHECK(arguments[0].value.data == ours->tensor.data);
    ours->tensor.shape[1] = -3;
    FAILS(pyk_argument_from_dlpack(ours, &arguments[0]), PYK_ERROR_ARGUMENTS, "-3 elements along axis 1");
    ours->deleter(ours);
    OK(pyk_buffer_allocate(device, sizeof memory, PYK_MEMORY_DEVICE, NULL, &buffer));
    FAILS(pyk_buffer_to_legacy_dlpack(&buffer, PYK_FLOAT64, 1, (const int64_t[]){-1}, &older), PYK_ERROR_ARGUMENTS,
          "negative extent");
    OK(pyk_buffer_to_legacy_dlpack(&buffer, PYK_FLOAT32, 1, (const int64_t[]){12}, &older));
    CHECK(buffer == NULL && older->tensor.ndim == 1 && older->tensor.shape[0] == 12 && older->tensor.bits == 32);
    OK(pyk_argument_from_legacy_dlpack(older, &arguments[0]));
    CHECK(arguments[0].element == PYK_FLOAT32 && arguments[0].value.data == older->tensor.data);
    older->deleter(older);

    /* Memory that others allocated. */
    OK(pyk_buffer_allocate(device, sizeof memory, PYK_MEMORY_DEVICE, NULL, &buffer));
    {
        pyk_buffer* adopted = NULL;
        double back[6] = {0};
        OK(pyk_buffer_adopt(device, pyk_buffer_address(buffer), sizeof memory, &told, release, &adopted));
        OK(pyk_buffer_upload(adopted, 0, memory, sizeof memory, NULL));
        OK(pyk_buffer_download(buffer, 0, back, sizeof back, NULL));
        OK(pyk_device_synchronize(device));
        CHECK(back[5] == 6);
        pyk_buffer_free(adopted);
        CHECK(told.releases == 1);
        FAILS(pyk_buffer_adopt(device, NULL, 8, &told, release, &adopted), PYK_ERROR_ARGUMENTS, "`address` is NULL");
        CHECK(told.releases == 2);
    }
    pyk_buffer_free(buffer);
    pyk_kernel_free(scatter);
    pyk_module_free(module);
}

static void test_devices(void) {
    pyk_device_properties properties;
    const pyk_device *cpu = NULL, *current = NULL;
    uint64_t bytes = 0;
    int32_t count = 0;

    OK(pyk_device_info(device, &properties));
    CHECK(properties.is_cpu == (backend == PYK_BACKEND_CPU));
    CHECK(strlen(properties.name) > 0 && properties.max_threads_per_block == 1024 && properties.multiprocessors > 0);
    OK(pyk_device_free_memory(device, &bytes));
    CHECK(bytes > 0 && bytes <= properties.memory);
    OK(pyk_device_cpu(&cpu));
    CHECK((cpu == device) == (backend == PYK_BACKEND_CPU));
    OK(pyk_device_make_current(device));
    OK(pyk_device_current(&current));
    CHECK(current == device);
    OK(pyk_device_enable_access(device, device));
    if (backend == PYK_BACKEND_CUDA) {
        OK(pyk_device_count(&count));
        CHECK(count > properties.index);
        FAILS(pyk_device_get(count, &current), PYK_ERROR_INPUT_OUTPUT, "there is no CUDA device");
        FAILS(pyk_device_enable_access(cpu, device), PYK_ERROR_ARGUMENTS, "the CPU cannot access a GPU's memory");
    }
    FAILS(pyk_device_count(NULL), PYK_ERROR_ARGUMENTS, "pyk_device_count: `out` is NULL");
    FAILS(pyk_device_enable_access(device, NULL), PYK_ERROR_ARGUMENTS, "`other` is NULL");
    FAILS(pyk_device_make_current(NULL), PYK_ERROR_ARGUMENTS, "`device` is NULL");
    FAILS(pyk_backend_check(7), PYK_ERROR_ARGUMENTS, "no such backend");
}

int main(int argc, char** argv) {
    pyk_error* missing;
    if (argc > 1 && strcmp(argv[1], "gpu") == 0) backend = PYK_BACKEND_CUDA;
    missing = pyk_backend_check(backend);
    if (missing) {
        printf("SKIPPED: %s\n", pyk_error_message(missing));
        pyk_error_free(missing);
        return 0;
    }
    if (backend == PYK_BACKEND_CPU)
        OK(pyk_device_cpu(&device));
    else
        OK(pyk_device_get(0, &device));
    CHECK(pyk_api_version() == PYK_API_VERSION);
    CHECK(strcmp(pyk_version(), PYK_VERSION) == 0);

    test_devices();
    test_host_arrays_and_names();
    test_options();
    test_diagnostics();
    test_what_kernels_raise();
    test_buffers_and_strides();
    test_streams_graphs_and_specializations();
    test_handles();
    test_scalars();
    test_numbers_compiled_in();
    test_warnings();
    test_warnings_as_errors();
    test_files_of_options();
    test_prints();
    test_records_dates_and_none();
    test_dlpack_and_adopted_memory();
    if (failures) fprintf(stderr, "%d failures\n", failures);
    return failures ? 1 : 0;
}
