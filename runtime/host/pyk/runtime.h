// libpyk_runtime: what a program needs to run compiled kernels. No compiler inside, no CUDA header needed.
#pragma once

#include "pyk/args.h"
#include "pyk/array_view.h"
#include "pyk/buffer.h"
#include "pyk/check_result.h"
#include "pyk/cpu_module.h"
#include "pyk/device.h"
#include "pyk/dim3.h"
#include "pyk/interop.h"
#include "pyk/module.h"
#include "pyk/ndarray.h"
#include "pyk/print_sink.h"
#include "pyk/status.h"
#include "pyk/stream.h"
