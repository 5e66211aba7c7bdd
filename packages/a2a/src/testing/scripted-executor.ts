/** An executor that follows a script, step by step, and records its calls for the test. */
import type { AgentExecutor, QuestionOptions, RequestContext, TaskEvents } from '../server/executor/executor.js';
import { unlessAborted } from './in-process.js';
import { pause } from './pause.js';

type PublishedEvent = Parameters<TaskEvents['publish']>[0];

/** One step of a `scriptedExecutor`, such as publishing an event, asking a question or waiting at a gate. */
export type ScriptStep =
  | { readonly do: 'working' | 'complete' | 'reject' | 'canceled'; readonly text?: string }
  | { readonly do: 'fail'; readonly text: string }
  | { readonly do: 'reply'; readonly text: string }
  | { readonly do: 'append'; readonly artifactId: string; readonly text: string; readonly last?: boolean }
  | { readonly do: 'publish'; readonly event: PublishedEvent }
  /** Asks a question, and appends the answer to `answers`. */
  | ({ readonly do: 'requireInput' | 'requireAuth'; readonly prompt: string } & QuestionOptions)
  | { readonly do: 'flush' }
  /** Waits on the agent's clock; rejects early when the turn is aborted. */
  | { readonly do: 'sleep'; readonly ms: number }
  /** Waits until the test opens the gate; rejects early when the turn is aborted. */
  | { readonly do: 'gate'; readonly name: string }
  | { readonly do: 'throw'; readonly error: unknown }
  | { readonly do: 'call'; readonly run: (context: RequestContext, events: TaskEvents) => Promise<void> | void };

/** An executor that plays steps and records its calls. Pass it as `executor` to `createAgent`. */
export interface ScriptedExecutor extends AgentExecutor {
  /** The context of every call of `execute`, oldest first. */
  readonly runs: readonly RequestContext[];
  /** The context of every call of `cancel`. */
  readonly cancels: readonly RequestContext[];
  /** The answers to the questions, in order. */
  readonly answers: readonly string[];
  /** Opens this gate, also for later waits. */
  open(gate: string): void;
}

/** Further steps of a `scriptedExecutor`: for later calls of `execute`, and for `cancel`. */
export interface MoreSteps {
  /** The steps of the second, third, … call of `execute`; the last list also applies to all later calls. Default: the same steps again. */
  readonly turns?: readonly (readonly ScriptStep[])[];
  /** The steps of `cancel`. Default: the executor has no `cancel`. */
  readonly cancel?: readonly ScriptStep[];
}

/** Creates an executor that performs the steps one after the other. */
export function scriptedExecutor(steps: readonly ScriptStep[], { turns = [], cancel }: MoreSteps = {}): ScriptedExecutor {
  const runs: RequestContext[] = [];
  const cancels: RequestContext[] = [];
  const stage: Stage = { answers: [], gates: new Map() };
  const stepsOf = (run: number): readonly ScriptStep[] => (run === 0 ? steps : (turns[run - 1] ?? turns.at(-1) ?? steps));
  const playCancel = async (context: RequestContext, events: TaskEvents): Promise<void> => {
    cancels.push(context);
    for (const step of cancel ?? []) await play(step, context, events, stage);
  };
  return {
    runs,
    cancels,
    answers: stage.answers,
    open: (gate) => gateOf(stage, gate).open(),
    async execute(context, events) {
      runs.push(context);
      for (const step of stepsOf(runs.length - 1)) await play(step, context, events, stage);
    },
    ...(cancel === undefined ? {} : { cancel: playCancel }),
  };
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

interface Stage {
  readonly answers: string[];
  readonly gates: Map<string, Gate>;
}

async function play(step: ScriptStep, context: RequestContext, events: TaskEvents, stage: Stage): Promise<void> {
  switch (step.do) {
    case 'working':
    case 'complete':
    case 'reject':
    case 'canceled':
      return events[step.do](step.text);
    case 'fail':
    case 'reply':
      return events[step.do](step.text);
    case 'append':
      return events.appendText(step.artifactId, step.text, step.last === undefined ? {} : { last: step.last });
    case 'publish':
      return events.publish(step.event);
    case 'requireInput':
      stage.answers.push(await context.requireInput(step.prompt, step));
      return;
    case 'requireAuth':
      stage.answers.push(JSON.stringify((await context.requireAuth(step.prompt, step)).parts));
      return;
    case 'flush':
      return events.flush();
    case 'sleep':
      return pause(context.clock, step.ms, context.signal);
    case 'gate':
      return unlessAborted(context.signal, gateOf(stage, step.name).opened);
    case 'throw':
      throw step.error;
    case 'call':
      return step.run(context, events);
  }
}

function gateOf({ gates }: Stage, name: string): Gate {
  const known = gates.get(name);
  if (known !== undefined) return known;
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const gate = { opened, open: () => open() };
  gates.set(name, gate);
  return gate;
}
