// biome-ignore-all lint: goes away with the stand-in
/** Until conversations are in the library: one that only lives in memory, so that the page can be worked on. */
import { toA2AError } from '@parley/a2a';
import type { Client } from '@parley/a2a/client';
import type { AgentMessage, Conversation, ConversationEvent, ConversationState, UserMessage } from '../app/types.js';

export function standIn(client: Client, id: string): Conversation {
  const listeners = new Set<() => void>();
  const watchers = new Set<(event: ConversationEvent) => void>();
  let run: ReturnType<Client['run']> | undefined;
  let state: ConversationState = {
    id,
    messages: [],
    isRunning: false,
    isLoading: false,
    contextId: undefined,
    task: undefined,
    artifacts: [],
    question: undefined,
    card: undefined,
    connection: { state: 'idle' },
    isLeader: true,
  };
  let timer: unknown;
  const set = (next: Partial<ConversationState>) => {
    state = { ...state, ...next };
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const listener of listeners) listener();
    }, 16);
  };
  const tell = (event: Record<string, unknown>) => {
    for (const watcher of watchers) watcher({ at: new Date().toISOString(), ...event } as never);
  };
  const put = (message: AgentMessage | UserMessage) =>
    set({ messages: [...state.messages.filter((one) => one.id !== message.id), message] });
  const conversation = {
    get state() {
      return state;
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEvent(watcher: (event: ConversationEvent) => void) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    load: async () => {},
    async send(input: string | { parts: readonly { text?: string }[] }) {
      const parts = typeof input === 'string' ? [{ text: input }] : input.parts;
      const { question, task: before } = state;
      const mine = {
        id: crypto.randomUUID(),
        role: 'ROLE_USER',
        parentId: state.messages.at(-1)?.id ?? null,
        siblings: [],
        createdAt: new Date().toISOString(),
        parts,
        message: { messageId: 'x', role: 'ROLE_USER', parts },
        delivery: 'sent',
      } as unknown as UserMessage;
      put(mine);
      tell({ kind: 'put', message: mine, show: true });
      let answer = {
        id: crypto.randomUUID(),
        role: 'ROLE_AGENT',
        parentId: mine.id,
        siblings: [],
        createdAt: new Date().toISOString(),
        parts: [],
        status: { type: 'running' },
        task: undefined,
        seq: undefined,
        said: [],
        artifacts: [],
      } as unknown as AgentMessage;
      put(answer);
      set({ isRunning: true, question: undefined, connection: { state: 'live' } });
      run = client.run(
        parts as never,
        { contextId: state.contextId ?? null, throwOn: 'never', ...(question && before && { taskId: before.id }) } as never,
      );
      const texts = new Map<string, string>();
      try {
        for await (const update of run as AsyncIterable<any>) {
          if (update.kind === 'text')
            texts.set(update.artifactId ?? 'said', (update.append ? (texts.get(update.artifactId ?? 'said') ?? '') : '') + update.delta);
          else {
            const plain =
              update.kind === 'state'
                ? { kind: 'state', status: { state: update.state, message: update.message } }
                : {
                    kind: update.kind,
                    chunk: { artifactId: update.artifact?.artifactId, parts: update.parts },
                    append: update.append,
                    message: update.message,
                  };
            tell({ kind: 'update', messageId: answer.id, update: { seq: update.seq, ...plain } });
          }
          const task = update.task ?? answer.task;
          answer = {
            ...answer,
            seq: update.seq ?? answer.seq,
            task,
            artifacts: task?.artifacts ?? [],
            parts: [...texts.values()].map((text) => ({ text })),
          };
          put(answer);
          set({ task, artifacts: answer.artifacts, contextId: task?.contextId ?? state.contextId });
        }
        const reply = (await run.result) as any;
        const wants = reply.finishReason === 'input_required' ? 'input' : reply.finishReason === 'auth_required' ? 'auth' : undefined;
        const prompt = reply.task?.status.message?.parts.map((part: any) => part.text).join('') ?? '';
        const files = (reply.task?.artifacts ?? []).flatMap((one: any) => one.parts).filter((part: any) => part.text === undefined);
        answer = {
          ...answer,
          task: reply.task,
          parts: [...answer.parts, ...files],
          status: wants ? { type: 'requires-action', reason: 'interrupt', want: wants, prompt } : { type: 'complete', reason: 'stop' },
        } as AgentMessage;
        set({ question: wants && { messageId: answer.id, want: wants, prompt, message: undefined } });
      } catch (error) {
        answer = { ...answer, status: { type: 'incomplete', reason: 'error', error: toA2AError(error) } };
      }
      put(answer);
      set({ isRunning: false, connection: { state: 'idle' }, task: answer.task });
      return answer;
    },
    edit: async (_id: string, input: string) => conversation.send(input),
    reload: async () => conversation.send('story'),
    cancel: async () => {
      await run?.cancel();
    },
    switchTo() {},
    settle: async () => undefined,
    setMessages() {},
    export: () => ({ messages: [] }),
    import() {},
    clear() {
      set({ messages: [] });
    },
    close() {},
  };
  return conversation as unknown as Conversation;
}
