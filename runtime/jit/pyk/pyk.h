/* libpyk for C, and for all that calls C: Rust, Julia, Python's ctypes. Link libpyk.so (CMake: pyk::c). C99; no C++ and
 * no CUDA header is included.
 *
 *   pyk_module* module = NULL;
 *   pyk_error* error = pyk_load_file("saxpy.pyk", NULL, &module);
 *   if (error) { fputs(pyk_error_message(error), stderr); pyk_error_free(error); }
 *
 * Errors. A function that can fail returns NULL, or an error that the caller owns and frees with pyk_error_free. Where
 * it fails, what its `out` points to is not written. Nothing is printed, no C++ exception leaves the library. A NULL
 * where an object is needed is an error of kind PYK_ERROR_ARGUMENTS, with the function's name. Ownership. What comes
 * out of an `out` parameter is the caller's, who frees it with the type's `_free` function; that takes NULL. Devices
 * are never freed. Objects may be freed in any order: each keeps what it needs. Strings and arrays that go in are
 * copied; strings that come out are UTF-8, end in '\0', and live as long as the object they were asked of. Threads.
 * Every function may be called from any thread. Two threads may use one object at once, except that `_free` of it must
 * be the last use, that options are for one thread, and that a buffer's bytes are as safe as memory is. Stability.
 * Structs end in `reserved`, which must be zero on the way in; later versions add functions, and members in place of
 * `reserved`. Initialise structs with {0}. Numbers of enumerations do not change. */
#ifndef PYK_PYK_H
#define PYK_PYK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PYK_API __attribute__((visibility("default")))
#else
#define PYK_API
#endif

typedef struct pyk_error pyk_error;
typedef struct pyk_options pyk_options;
typedef struct pyk_module pyk_module;
typedef struct pyk_kernel pyk_kernel;
typedef struct pyk_device pyk_device;
typedef struct pyk_buffer pyk_buffer;
typedef struct pyk_stream pyk_stream;
typedef struct pyk_event pyk_event;
typedef struct pyk_graph pyk_graph;
typedef struct pyk_preload pyk_preload;
typedef struct pyk_specializations pyk_specializations;

/* ---- Version ---- */

/* The number of this interface: a library with the same number, or a greater one, serves programs built with it. */
#define PYK_API_VERSION 1
PYK_API uint32_t pyk_api_version(void);
/* The library's release, "0.1.0". Never freed. */
PYK_API const char* pyk_version(void);

/* ---- Errors. Immutable. All of these take NULL, which is success: kind 0, empty texts, no findings. ---- */

typedef int32_t pyk_error_kind;
enum {
    PYK_OK = 0,
    PYK_ERROR_DIAGNOSTICS = 1,  /* the .pyk file is wrong; the message holds file, line and column */
    PYK_ERROR_ARGUMENTS = 2,    /* a call that does not fit: arguments, grid, stream, device */
    PYK_ERROR_INPUT_OUTPUT = 3, /* a file, a tool or a device is missing */
    PYK_ERROR_MEMORY = 4,       /* not enough of it */
    PYK_ERROR_EXECUTION = 5,    /* the launch failed, or an index was out of range */
    PYK_ERROR_FAULT = 6         /* a fault of pyk */
};

/* One diagnostic. The strings live as long as the error. */
typedef struct pyk_finding {
    const char* severity; /* "error", "warning" or "note" */
    const char* id;       /* stable: "unknown-name" */
    const char* text;
    const char* file;     /* "": of no place */
    int32_t line, column; /* from 1 */
    uint64_t reserved[2];
} pyk_finding;

/* What a kernel compiled for debugging raised, or the index that was out of range. */
typedef struct pyk_raised {
    const char* error; /* "ValueError: too far"; "": an index out of range */
    const char* array; /* of an index: the array's name */
    const char* file;  /* "": the kernel's own */
    int32_t line, axis;
    int64_t index, extent;
    int32_t block[3], thread[3];
    uint64_t reserved[2];
} pyk_raised;

/* A pyk_error_kind. */
PYK_API pyk_error_kind pyk_error_get_kind(const pyk_error* error);
/* What failed, on what, and what the system said. */
PYK_API const char* pyk_error_message(const pyk_error* error);
PYK_API size_t pyk_error_finding_count(const pyk_error* error);
/* 1, or 0 where there is no such finding. */
PYK_API int32_t pyk_error_finding(const pyk_error* error, size_t index, pyk_finding* out);
/* 1, or 0 where the kernel raised nothing. */
PYK_API int32_t pyk_error_raised(const pyk_error* error, pyk_raised* out);
/* What NVRTC or the host compiler wrote, the C++ that it refused, and the tools' versions; "" where there is none. */
PYK_API const char* pyk_error_log(const pyk_error* error);
PYK_API const char* pyk_error_emitted(const pyk_error* error);
PYK_API const char* pyk_error_versions(const pyk_error* error);
PYK_API void pyk_error_free(pyk_error* error);

/* ---- Options of a module. A load copies them: they may be freed or changed afterwards. ---- */

typedef int32_t pyk_backend;
enum {
    PYK_BACKEND_AUTOMATIC = 0, /* a GPU where there is one, else the CPU */
    PYK_BACKEND_CUDA = 1,
    PYK_BACKEND_CPU = 2
};
/* NULL where kernels can run there; else an error that says why not. */
PYK_API pyk_error* pyk_backend_check(pyk_backend backend);

typedef int32_t pyk_typing;
enum {
    PYK_TYPING_NUMBA = 0, /* as Numba types: int32 + int32 is int64 */
    PYK_TYPING_NARROW = 1 /* 32 bits stay 32 bits */
};

typedef int32_t pyk_option;
enum {
    PYK_OPTION_BACKEND = 0,       /* a pyk_backend */
    PYK_OPTION_TYPING = 1,        /* a pyk_typing */
    PYK_OPTION_CHECK_BOUNDS = 2,  /* 1: an index out of range is an error of the launch */
    PYK_OPTION_DEBUG = 3,         /* 1: what kernels raise is an error of the launch */
    PYK_OPTION_FASTMATH = 4,      /* 1: fast, less exact float32 */
    PYK_OPTION_FMAD = 5,          /* 1, the default: a * b + c may be contracted */
    PYK_OPTION_LINEINFO = 6,      /* 1: line numbers for profilers */
    PYK_OPTION_DEVICE_DEBUG = 7,  /* 1: for cuda-gdb */
    PYK_OPTION_OPTIMIZATION = 8,  /* 0 to 3, the default */
    PYK_OPTION_REGISTERS = 9,     /* per thread, at most; 0, the default: no limit */
    PYK_OPTION_DISK_CACHE = 10,   /* 1, the default: keep what was compiled */
    PYK_OPTION_PRINT_BUFFER = 11, /* bytes that kernels on a GPU may print between two deliveries; 1 MiB */
    PYK_OPTION_COARSEN = 12,      /* 1, the default: threads of kernels that map elements may have several */
    PYK_OPTION_CHECK_RACES = 13   /* 1: elements that threads race for are an error of the launch, on the CPU */
};

typedef int32_t pyk_constant_kind;
enum { PYK_CONSTANT_BOOL = 0, PYK_CONSTANT_INT = 1, PYK_CONSTANT_UINT = 2, PYK_CONSTANT_FLOAT = 3 };
typedef struct pyk_constant {
    pyk_constant_kind kind;
    union {
        int32_t boolean;
        int64_t integer;
        uint64_t natural;
        double real;
    } value;
} pyk_constant;

/* `category` is "compile" (`text` as pykc prints it), "implicit-copy" or "cache" (the disk cache cannot be used).
 * Called from the thread that loads, launches or compiles, from several at once if several do; must not unwind. The
 * strings live until it returns. */
typedef void (*pyk_warning_callback)(void* context, const char* category, const char* text);

/* All as the defaults are; for one thread at a time. */
PYK_API pyk_error* pyk_options_create(pyk_options** out);
PYK_API void pyk_options_free(pyk_options* options);
/* Fails for a value that the option does not have. */
PYK_API pyk_error* pyk_options_set(pyk_options* options, pyk_option option, int64_t value);
/* A value for a module-level name of the file, which wins over the file's own. */
PYK_API pyk_error* pyk_options_define_int(pyk_options* options, const char* name, int64_t value);
PYK_API pyk_error* pyk_options_define_float(pyk_options* options, const char* name, double value);
PYK_API pyk_error* pyk_options_define_bool(pyk_options* options, const char* name, int32_t value);
/* As signatures write it: "float32". */
PYK_API pyk_error* pyk_options_define_type(pyk_options* options, const char* name, const char* type);
PYK_API pyk_error* pyk_options_define_tuple(pyk_options* options, const char* name, const pyk_constant* items,
                                            size_t count);
/* A folder to look for imported files in, after the file's own and those added before. */
PYK_API pyk_error* pyk_options_add_import_folder(pyk_options* options, const char* path);
/* Device code to link: .cu, .ptx, .cubin …; .cpp for the CPU. */
PYK_API pyk_error* pyk_options_add_link(pyk_options* options, const char* path);
/* As behind -W of pykc: "perf", "no-unused", "error=perf". */
PYK_API pyk_error* pyk_options_add_warning(pyk_options* options, const char* warning);
/* `release` (may be NULL) is called with `context` when neither the options nor a module need it any more, also where
 * this fails. */
PYK_API pyk_error* pyk_options_on_warning(pyk_options* options, pyk_warning_callback callback, void* context,
                                          void (*release)(void* context));

/* One whole line, its end included, for each `print` of a kernel; `text` is not ended by '\0'. Called from the thread
 * that waits for the kernels (synchronize, wait, a timed launch, a launch with host arrays; on the CPU in the launch
 * itself), never twice at once; must not unwind. */
typedef void (*pyk_print_callback)(void* context, const char* text, size_t size);
/* Takes what kernels print; without it they print to the standard output. What is more than the buffer holds is lost on
 * a GPU, and a line says so. `release`: as of pyk_options_on_warning. */
PYK_API pyk_error* pyk_options_on_print(pyk_options* options, pyk_print_callback callback, void* context,
                                        void (*release)(void* context));

/* ---- Modules and kernels ---- */

/* Reads a file. What is wrong with it as a whole (syntax) is said here, what is wrong with a kernel at its launch.
 * `options`: NULL for the defaults. */
PYK_API pyk_error* pyk_load_file(const char* path, const pyk_options* options, pyk_module** out);
/* The same for text; `name` stands for the file in messages. */
PYK_API pyk_error* pyk_load_text(const char* name, const char* text, const pyk_options* options, pyk_module** out);
PYK_API void pyk_module_free(pyk_module* module);
/* In the file's order. 0 for NULL; NULL beyond the end. The names live as long as the module. */
PYK_API size_t pyk_module_kernel_count(const pyk_module* module);
PYK_API const char* pyk_module_kernel_name(const pyk_module* module, size_t index);

/* The kernel of that name, which keeps the module's file. Fails where there is none, and says which there are. Compiles
 * nothing. */
PYK_API pyk_error* pyk_module_kernel(const pyk_module* module, const char* name, pyk_kernel** out);
PYK_API void pyk_kernel_free(pyk_kernel* kernel);
/* As the file has them, for as long as the kernel. NULL and 0 for NULL; NULL beyond the end. */
PYK_API const char* pyk_kernel_name(const pyk_kernel* kernel);
PYK_API size_t pyk_kernel_param_count(const pyk_kernel* kernel);
PYK_API const char* pyk_kernel_param_name(const pyk_kernel* kernel, size_t index);

/* ---- Devices. Handles live as long as the process. A NULL device is the one that is current in the calling thread:
 * the one it chose, else the first GPU, else the CPU. ---- */

typedef struct pyk_device_properties {
    char name[128];
    int32_t index, is_cpu;
    int32_t major, minor; /* compute capability; 0 of the CPU */
    int32_t multiprocessors, warp_size, max_threads_per_block, max_threads_per_multiprocessor;
    uint64_t memory, max_shared_per_block, l2_bytes;
    int32_t driver_version, reserved0; /* 13000 is CUDA 13.0; 0 of the CPU */
    uint64_t reserved[4];
} pyk_device_properties;

/* How many GPUs there are; fails where there is no driver. */
PYK_API pyk_error* pyk_device_count(int32_t* out);
/* As CUDA counts them: CUDA_VISIBLE_DEVICES applies. */
PYK_API pyk_error* pyk_device_get(int32_t index, const pyk_device** out);
/* Neither fails but for a NULL. */
PYK_API pyk_error* pyk_device_cpu(const pyk_device** out);
PYK_API pyk_error* pyk_device_current(const pyk_device** out);
/* For the calling thread. */
PYK_API pyk_error* pyk_device_make_current(const pyk_device* device);
/* What the device is and can do; bytes, and counts. */
PYK_API pyk_error* pyk_device_info(const pyk_device* device, pyk_device_properties* out);
/* Bytes that can still be allocated. */
PYK_API pyk_error* pyk_device_free_memory(const pyk_device* device, uint64_t* out);
/* Waits for all work on the device and gives its first error. */
PYK_API pyk_error* pyk_device_synchronize(const pyk_device* device);
/* Lets kernels and copies of `device` use the memory of `other`. */
PYK_API pyk_error* pyk_device_enable_access(const pyk_device* device, const pyk_device* other);

/* ---- Streams, events, graphs. A NULL stream is the default one (CUDA's legacy one) of the device in question. ---- */

/* A stream that does not wait for the default one. `priority`: lower numbers go first, 0 is the usual. */
PYK_API pyk_error* pyk_stream_create(const pyk_device* device, int32_t priority, pyk_stream** out);
/* One that others made, a CUstream or cudaStream_t; freeing ours leaves theirs. */
PYK_API pyk_error* pyk_stream_borrow(const pyk_device* device, void* cuda_stream, pyk_stream** out);
PYK_API void pyk_stream_free(pyk_stream* stream);
/* A CUstream; NULL for NULL. */
PYK_API void* pyk_stream_handle(const pyk_stream* stream);
/* Waits for the work given to it so far and gives that work's first error. */
PYK_API pyk_error* pyk_stream_synchronize(const pyk_stream* stream);
/* What the stream is given from now on starts after the event, which may be of another stream or GPU. */
PYK_API pyk_error* pyk_stream_wait(const pyk_stream* stream, const pyk_event* event);
/* What the stream is given from now on is recorded instead of done, until the capture ends. */
PYK_API pyk_error* pyk_stream_begin_capture(const pyk_stream* stream);
PYK_API pyk_error* pyk_stream_end_capture(const pyk_stream* stream, pyk_graph** out);
/* Queues all that was captured; the memory that it uses must still be there. */
PYK_API pyk_error* pyk_graph_launch(const pyk_graph* graph, const pyk_stream* stream);
PYK_API void pyk_graph_free(pyk_graph* graph);

/* An event that was not recorded yet: nothing waits for it. */
PYK_API pyk_error* pyk_event_create(const pyk_device* device, pyk_event** out);
PYK_API void pyk_event_free(pyk_event* event);
/* A CUevent; NULL for NULL. */
PYK_API void* pyk_event_handle(const pyk_event* event);
/* The point after all that the stream was given so far. */
PYK_API pyk_error* pyk_event_record(const pyk_event* event, const pyk_stream* stream);
/* Waits until the device passed it; whether it did; milliseconds between two of one device, both passed. */
PYK_API pyk_error* pyk_event_wait(const pyk_event* event);
PYK_API pyk_error* pyk_event_is_done(const pyk_event* event, int32_t* out);
PYK_API pyk_error* pyk_event_elapsed_ms(const pyk_event* start, const pyk_event* end, double* out);

/* ---- Memory ---- */

typedef int32_t pyk_memory;
enum {
    PYK_MEMORY_DEVICE = 0, /* the GPU's own */
    PYK_MEMORY_POOLED = 1, /* the GPU's own, allocated and freed in a stream's order */
    PYK_MEMORY_PINNED = 2, /* the host's, page-locked; GPUs reach it over the bus */
    PYK_MEMORY_MAPPED = 3, /* like pinned, and write-combined: for what the host only writes */
    PYK_MEMORY_MANAGED = 4 /* moves between host and GPU where it is touched */
};

/* Uninitialised, aligned to 256 bytes. `stream`: of pooled memory, else NULL. On the CPU all of it is the host's. */
PYK_API pyk_error* pyk_buffer_allocate(const pyk_device* device, uint64_t bytes, pyk_memory memory,
                                       const pyk_stream* stream, pyk_buffer** out);
/* Frees the memory: no work that uses it may be queued still, but for pooled memory on its stream. */
PYK_API void pyk_buffer_free(pyk_buffer* buffer);
/* For kernels; for the host as well where the memory is pinned, mapped or managed, or the device the CPU. */
PYK_API void* pyk_buffer_address(const pyk_buffer* buffer);
/* In bytes. */
PYK_API uint64_t pyk_buffer_size(const pyk_buffer* buffer);
/* Memory that others allocated on the device (for the CPU: of the host). `release` (may be NULL) is called with
 * `context` when the buffer is freed, or where this fails. */
PYK_API pyk_error* pyk_buffer_adopt(const pyk_device* device, void* address, uint64_t bytes, void* context,
                                    void (*release)(void* context), pyk_buffer** out);
/* NULL of an empty buffer. */
PYK_API const pyk_device* pyk_buffer_device(const pyk_buffer* buffer);
/* Copies host memory to the bytes from `offset` on, or back; fails when that is beyond the end. Queued: pageable host
 * memory must stay until the call returns, pinned memory until the stream is synchronised. A download from the GPU is
 * complete when the stream is synchronised. */
PYK_API pyk_error* pyk_buffer_upload(pyk_buffer* buffer, uint64_t offset, const void* host, uint64_t bytes,
                                     const pyk_stream* stream);
PYK_API pyk_error* pyk_buffer_download(const pyk_buffer* buffer, uint64_t offset, void* host, uint64_t bytes,
                                       const pyk_stream* stream);
/* Sets all bytes to one value. */
PYK_API pyk_error* pyk_buffer_fill(pyk_buffer* buffer, uint8_t value, const pyk_stream* stream);

/* ---- Launches, and arrays shared by DLPack ---- */

typedef int32_t pyk_element;
enum {
    PYK_BOOL = 0,
    PYK_INT8 = 1,
    PYK_INT16 = 2,
    PYK_INT32 = 3,
    PYK_INT64 = 4,
    PYK_UINT8 = 5,
    PYK_UINT16 = 6,
    PYK_UINT32 = 7,
    PYK_UINT64 = 8,
    PYK_FLOAT16 = 9,
    PYK_BFLOAT16 = 10,
    PYK_FLOAT32 = 11,
    PYK_FLOAT64 = 12,
    PYK_COMPLEX64 = 13,
    PYK_COMPLEX128 = 14,
    PYK_XOROSHIRO128P = 15, /* the state of a generator, two uint64_t; of arrays only */
    PYK_NAMED = 16,         /* a record or a date: `type` says which; a scalar's bytes are at `value.data` */
    PYK_NONE = 17           /* None; no arrays */
};

typedef int32_t pyk_order;
enum {
    PYK_ORDER_C = 0,
    PYK_ORDER_FORTRAN = 1,
    PYK_ORDER_STRIDED = 2, /* `strides` count; where they are those of C or Fortran, the kernel is the one for that */
    PYK_ORDER_CELL = 3     /* an array without axes: `ndim` is 0, `value.data` its element */
};

/* Axes of an array, at most. */
#define PYK_MAX_NDIM 32

/* A type that is no number. Lives as long as the process. */
typedef struct pyk_type pyk_type;
/* A field of a record. `type`: as signatures write it, "float32", or pyk_type_text of another. */
typedef struct pyk_field {
    const char* name;
    const char* type;
    uint64_t offset;
    int32_t ndim; /* of a field that is an array, else 0 */
    int32_t reserved0;
    int64_t shape[PYK_MAX_NDIM];
} pyk_field;
/* Records as the file declares them: NumPy's structured dtype with these fields and that size. `alignment`: of the C
 * struct where it is aligned as in C (`align=True`), else 0. What is no type, or another than the file's, is an error
 * of the launch. */
PYK_API pyk_error* pyk_type_record(const pyk_field* fields, size_t count, uint64_t size, uint64_t alignment,
                                   const pyk_type** out);
/* As signatures write it, with its size and alignment: "datetime64[D]", 8, 8. */
PYK_API pyk_error* pyk_type_named(const char* text, uint64_t size, uint64_t alignment, const pyk_type** out);
/* As signatures write it. */
PYK_API const char* pyk_type_text(const pyk_type* type);

enum {
    PYK_READONLY = 1,     /* of arrays: it is an error if the kernel writes it */
    PYK_NO_COPY_IN = 2,   /* of arrays in host memory: the kernel writes every element */
    PYK_NO_COPY_BACK = 4, /* of arrays in host memory: what the kernel writes is not wanted */
    PYK_COMPILED_IN = 8,  /* of numbers: the kernel is compiled for the value, which may give an array's shape */
    PYK_FLAGS_ALL = 15
};

/* One argument of a launch. An array's memory is referred to, not held. */
typedef struct pyk_argument {
    pyk_element element;
    int32_t ndim;    /* 0: a scalar, or a cell */
    pyk_order order; /* of arrays */
    uint32_t flags;
    union {
        int32_t boolean;
        int64_t integer;  /* int8 to int64 */
        uint64_t natural; /* uint8 to uint64 */
        double real;      /* float16 to float64 */
        double complex_parts[2];
        void* data; /* arrays: the first element */
    } value;
    const pyk_type* type;          /* of PYK_NAMED, else NULL */
    const pyk_device* device;      /* whose memory the array is in; NULL: the host's, copied for the launch */
    int64_t shape[PYK_MAX_NDIM];   /* the first `ndim` count */
    int64_t strides[PYK_MAX_NDIM]; /* in bytes; may be 0 or negative */
    uint64_t reserved[2];
} pyk_argument;

/* Structs of dlpack.h 1.0, by which arrays are shared with PyTorch, CuPy, JAX … */
struct DLManagedTensorVersioned;
struct DLManagedTensor;
/* The tensor's elements as an argument, where they are; the tensor is not taken, and must stay. */
PYK_API pyk_error* pyk_argument_from_dlpack(const struct DLManagedTensorVersioned* tensor, pyk_argument* out);
PYK_API pyk_error* pyk_argument_from_legacy_dlpack(const struct DLManagedTensor* tensor, pyk_argument* out);
/* The buffer as a C-contiguous tensor of these elements: what a Python `__dlpack__` gives in its capsule. The tensor
 * has the memory from then on, `*buffer` is freed and becomes NULL; whoever takes the tensor calls its deleter. Fails
 * where the buffer is too small, or DLPack does not have the element type. */
PYK_API pyk_error* pyk_buffer_to_dlpack(pyk_buffer** buffer, pyk_element element, int32_t ndim, const int64_t* shape,
                                        struct DLManagedTensorVersioned** out);
/* The same for those that know DLPack before 1.0 only. */
PYK_API pyk_error* pyk_buffer_to_legacy_dlpack(pyk_buffer** buffer, pyk_element element, int32_t ndim,
                                               const int64_t* shape, struct DLManagedTensor** out);

typedef struct pyk_launch_config {
    uint32_t grid[3], block[3]; /* 0 for y and z is 1 */
    uint32_t cluster[3];        /* blocks of a thread block cluster (sm_90 and later); 0: none */
    uint32_t reserved0;
    uint64_t shared_bytes; /* dynamic shared memory per block */
    const pyk_stream* stream;
    uint64_t reserved[4];
} pyk_launch_config;

/* Launches; the first launch with new argument types compiles. The arguments are copied, host arrays are copied to the
 * device and, where the kernel writes them, back. With arrays of a device only it is queued, and errors of its
 * execution come from a later call that waits; with host arrays, in debug and check builds and on the CPU it has run
 * when this returns. It goes to the stream's device, else to that of its arrays, else to the current one. */
PYK_API pyk_error* pyk_launch(const pyk_kernel* kernel, const pyk_launch_config* config, const pyk_argument* arguments,
                              size_t count);

typedef struct pyk_report {
    double milliseconds; /* of the kernel alone */
    double transpile_ms; /* .pyk to C++; 0 where this kernel was compiled already */
    double compile_ms;   /* C++ to binary; likewise */
    uint64_t written;    /* a bit per argument, of the first 64: an array that the kernel may have stored to */
    pyk_backend backend;
    int32_t reserved0;
    uint64_t reserved[4];
} pyk_report;
/* Launches, waits, and says how long it took. */
PYK_API pyk_error* pyk_launch_timed(const pyk_kernel* kernel, const pyk_launch_config* config,
                                    const pyk_argument* arguments, size_t count, pyk_report* out);
/* One thread per element, in blocks of the size with the best occupancy. */
PYK_API pyk_error* pyk_forall(const pyk_kernel* kernel, int64_t elements, const pyk_stream* stream,
                              uint64_t shared_bytes, const pyk_argument* arguments, size_t count);

/* Compiles in the background for these types: "float32, float32[::1], float32[:, :]". What is wrong with them, or with
 * the kernel, the wait says. Freeing it before it is done does not end it. */
PYK_API pyk_error* pyk_kernel_preload(const pyk_kernel* kernel, const char* signature, const pyk_device* device,
                                      pyk_preload** out);
/* Whether it has ended, well or not; waits for it, and gives why it failed, if it did. */
PYK_API int32_t pyk_preload_is_done(const pyk_preload* preload);
PYK_API pyk_error* pyk_preload_wait(const pyk_preload* preload);
PYK_API void pyk_preload_free(pyk_preload* preload);

/* What a kernel was compiled for so far, as of the call: a list with strings of its own. On a GPU there may be two of
 * one signature: one for arrays that do not overlap where they are written, and a general one. */
PYK_API pyk_error* pyk_kernel_specializations(const pyk_kernel* kernel, pyk_specializations** out);
PYK_API void pyk_specializations_free(pyk_specializations* list);
PYK_API size_t pyk_specializations_count(const pyk_specializations* list);

typedef struct pyk_specialization {
    const char* signature; /* "saxpy(float32, float32[::1], float32[::1])" */
    const char* symbol;
    const char* emitted;  /* the C++ that was compiled */
    const char* warnings; /* as pykc prints them */
    const pyk_device* device;
    int32_t registers; /* per thread; 0 of the CPU */
    int32_t max_threads_per_block;
    uint64_t shared_bytes;           /* static, per block */
    uint64_t local_bytes;            /* per thread, with registers that were spilled */
    double transpile_ms, compile_ms; /* 0 from the disk's cache */
    int32_t is_from_cache, reserved0;
    uint64_t reserved[4];
} pyk_specialization;
/* The strings live as long as the list. Fails beyond its end. */
PYK_API pyk_error* pyk_specializations_get(const pyk_specializations* list, size_t index, pyk_specialization* out);

typedef int32_t pyk_text;
enum {
    PYK_TEXT_TYPED_IR = 0,
    PYK_TEXT_PTX = 1, /* of a GPU; compiles anew */
    PYK_TEXT_SASS = 2 /* of a GPU, where nvdisasm is on this machine */
};
/* The string lives as long as the list. Loads the compiler. */
PYK_API pyk_error* pyk_specializations_text(pyk_specializations* list, size_t index, pyk_text kind, const char** out);
/* Resident threads of a multiprocessor, as a share of what it can hold, with blocks of that size. */
PYK_API pyk_error* pyk_specializations_occupancy(const pyk_specializations* list, size_t index, int32_t threads,
                                                 uint64_t shared_bytes, double* out);
/* The threads of a block with which most of them are resident at once. */
PYK_API pyk_error* pyk_specializations_best_block(const pyk_specializations* list, size_t index, uint64_t shared_bytes,
                                                  int32_t* out);
/* Bytes that a thread stores and loads for want of registers. Of a GPU; compiles anew. */
PYK_API pyk_error* pyk_specializations_spills(const pyk_specializations* list, size_t index, uint64_t* stored,
                                              uint64_t* loaded);

#ifdef __cplusplus
}
#endif
#endif
