/** Makes the ids that a server hands out. Told what is known already, so that ids can be derived from one another. */
export interface IdGenerators {
  taskId(known: { readonly contextId?: string }): string;
  contextId(known: { readonly taskId?: string }): string;
  messageId(): string;
}

const uuid = (): string => crypto.randomUUID();

export const randomIds: IdGenerators = { taskId: uuid, contextId: uuid, messageId: uuid };
