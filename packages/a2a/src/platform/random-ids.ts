/** Generates the ids that a server assigns. Receives the ids that are already known, so that ids can be derived from each other. */
export interface IdGenerators {
  taskId(known: { readonly contextId?: string }): string;
  contextId(known: { readonly taskId?: string }): string;
  messageId(): string;
}

const uuid = (): string => crypto.randomUUID();

export const randomIds: IdGenerators = { taskId: uuid, contextId: uuid, messageId: uuid };
