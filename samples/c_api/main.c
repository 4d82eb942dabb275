/* libpyk from C: a kernel compiled while the program runs, its arrays in a device's memory. */
#include <pyk/pyk.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1000000 };

/* Ends the program where a call failed. */
static void check(pyk_error* error) {
    if (!error) return;
    fprintf(stderr, "%s\n", pyk_error_message(error)); /* diagnostics with file, line and column */
    pyk_error_free(error);
    exit(1);
}

static pyk_argument array(const pyk_buffer* buffer) {
    pyk_argument argument = {.element = PYK_FLOAT32, .ndim = 1, .shape = {SIZE}};
    argument.value.data = pyk_buffer_address(buffer);
    argument.device = pyk_buffer_device(buffer);
    return argument;
}

int main(int argc, char** argv) {
    static float x[SIZE], y[SIZE], out[SIZE];
    pyk_module* module = NULL;
    pyk_kernel* saxpy = NULL;
    pyk_stream* stream = NULL;
    pyk_buffer* buffers[3] = {NULL, NULL, NULL};
    pyk_device_properties device;

    for (int i = 0; i < SIZE; ++i) x[i] = (float)i, y[i] = 1;
    check(pyk_load_file(argc > 1 ? argv[1] : "saxpy.pyk", NULL, &module));
    check(pyk_module_kernel(module, "saxpy", &saxpy));

    /* The device is the first GPU, or the CPU. */
    check(pyk_device_info(NULL, &device));
    check(pyk_stream_create(NULL, 0, &stream));
    for (int i = 0; i < 3; ++i) check(pyk_buffer_allocate(NULL, sizeof x, PYK_MEMORY_POOLED, stream, &buffers[i]));
    check(pyk_buffer_upload(buffers[0], 0, x, sizeof x, stream));
    check(pyk_buffer_upload(buffers[1], 0, y, sizeof y, stream));

    const pyk_argument arguments[] = {
        {.element = PYK_FLOAT32, .value.real = 2}, array(buffers[0]), array(buffers[1]), array(buffers[2])};
    const pyk_launch_config config = {.grid = {(SIZE + 255) / 256}, .block = {256}, .stream = stream};
    check(pyk_launch(saxpy, &config, arguments, 4));
    check(pyk_buffer_download(buffers[2], 0, out, sizeof out, stream));
    check(pyk_stream_synchronize(stream));

    for (int i = 0; i < SIZE; ++i)
        if (out[i] != 2 * (float)i + 1) return printf("wrong: out[%d] is %f\n", i, (double)out[i]), 1;
    printf("%s: %d elements are right\n", device.name, SIZE);

    for (int i = 0; i < 3; ++i) pyk_buffer_free(buffers[i]);
    pyk_stream_free(stream);
    pyk_kernel_free(saxpy);
    pyk_module_free(module);
    return 0;
}
