// Work that was captured on a GPU.
#include <algorithm>
#include <vector>

#include "cuda_context.h"

namespace pyk::driver::cuda {
namespace {

/// What a graph's handle stands for. It keeps the modules of ours whose kernels it launches: the driver does not.
struct CudaGraph {
    void* exec = nullptr;  // CUgraphExec
    std::vector<std::shared_ptr<LoadedModule>> modules;
};

std::vector<void*> nodes_of(void* graph) {
    std::size_t count = 0;
    if (api().cuGraphGetNodes(graph, nullptr, &count) != 0) return {};
    std::vector<void*> nodes(count);
    if (count != 0 && api().cuGraphGetNodes(graph, nodes.data(), &count) != 0) return {};
    return nodes;
}

void add_modules(LoadedModules& loaded, void* graph, std::vector<std::shared_ptr<LoadedModule>>& modules) {
    for (void* const node : nodes_of(graph)) {
        int type = -1;
        void* module = nullptr;
        KernelNode kernel;
        if (api().cuGraphNodeGetType(node, &type) != 0) continue;
        if (type != kKernelNode || api().cuGraphKernelNodeGetParams_v2(node, &kernel) != 0 || !kernel.function)
            continue;
        if (api().cuFuncGetModule(&module, kernel.function) != 0) continue;
        std::shared_ptr<LoadedModule> found = loaded.find(module);
        if (found && std::find(modules.begin(), modules.end(), found) == modules.end())
            modules.push_back(std::move(found));
    }
}

}  // namespace

Result<void*> CudaContext::end_capture(void* stream) {
    auto made = std::make_unique<CudaGraph>();
    Status s = call("captured graph", [&] {
        void* graph = nullptr;
        if (const Code code = api().cuStreamEndCapture(stream, &graph); code != 0) return code;
        add_modules(modules, graph, made->modules);
        const Code code = api().cuGraphInstantiateWithFlags(&made->exec, graph, kFreeOnLaunch);
        api().cuGraphDestroy(graph);
        return code;
    });
    if (!s) return s;
    return static_cast<void*>(made.release());
}

Status CudaContext::launch_graph(void* graph, void* stream) {
    return call("graph launch", [&] { return api().cuGraphLaunch(static_cast<CudaGraph*>(graph)->exec, stream); });
}

void CudaContext::destroy_graph(void* graph) {
    const std::unique_ptr<CudaGraph> owned(static_cast<CudaGraph*>(graph));
    const Status ignored = call("graph", [&] { return api().cuGraphExecDestroy(owned->exec); });
}

}  // namespace pyk::driver::cuda
