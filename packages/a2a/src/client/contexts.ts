/** Which conversation each agent is in: two agents never share one. */
export interface ContextStore {
  get(agent: string): string | undefined;
  set(agent: string, contextId: string): void;
  delete(agent: string): void;
}

export function memoryContexts(): ContextStore {
  return new Map<string, string>();
}
