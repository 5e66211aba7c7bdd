/** Whether this runtime is Node, for a few optimizations. Correctness must not depend on it. */
export function isNode(): boolean {
  const host: unknown = Reflect.get(globalThis, 'process');
  const release: unknown = typeof host === 'object' && host !== null ? Reflect.get(host, 'release') : undefined;
  return typeof release === 'object' && release !== null && Reflect.get(release, 'name') === 'node';
}
