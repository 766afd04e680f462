// What can be made to go wrong with a node whose machine runs on.
//   not-ready      the container runtime is down, and the kubelet says so
//   frozen         the kubelet stands still: no lease, no status, no pods started or stopped; containers run on
//   disk-pressure  the disk is full: the kubelet takes no further pods, and puts out one after the other
//   gpu-error      a GPU has fallen off the bus: one less to allocate, and the problem detector says so
export type NodeFault = 'not-ready' | 'frozen' | 'disk-pressure' | 'gpu-error';
