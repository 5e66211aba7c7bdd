/** The end of a process that is asked to go: close in good order, then exit. */
import { constants } from 'node:os';
import { A2AError } from '../../protocol/errors.js';
import { type CloseOptions, checkClose } from '../../server/agent.js';

/** A server from `listen`, or an agent whose server is your own. */
export interface Closes {
  close(options?: CloseOptions): Promise<void>;
}

export interface SignalOptions extends CloseOptions {
  /** Default SIGTERM, which whoever runs the process sends, and SIGINT, which is Ctrl-C. */
  readonly signals?: readonly NodeJS.Signals[];
  /** For what else has to be tidied up, such as a Pool of your own. Called also when closing failed; the process waits for it, then ends. */
  readonly onClosed?: () => void | Promise<void>;
  /** Told when closing, or `onClosed`, failed; the process then ends with code 1. */
  readonly onError?: (error: unknown) => void;
}

// npm and the terminal may both pass the same Ctrl-C on.
const SAME_SIGNAL_MS = 1_000;

/**
 * Closes at the first signal and ends the process with code 0; a second signal, a second later or more, ends it at once. The returned
 * function takes this back, and has no effect on what has begun.
 */
export function closeOnSignals(what: Closes | readonly Closes[], options: SignalOptions = {}): () => void {
  const { signals = ['SIGTERM', 'SIGINT'] } = options;
  checkClose(options);
  for (const signal of signals) checkSignal(signal);
  let begunAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (begunAt !== undefined) {
      if (performance.now() - begunAt >= SAME_SIGNAL_MS) process.exit(codeOf(signal));
      return;
    }
    begunAt = performance.now();
    void end(what, options);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    if (begunAt !== undefined) return;
    for (const signal of signals) process.off(signal, onSignal);
  };
}

async function end(what: Closes | readonly Closes[], options: SignalOptions): Promise<never> {
  try {
    await closeAll(what, options);
  } catch (error) {
    options.onError?.(error);
    process.exit(1);
  }
  process.exit(0);
}

/** Whatever fails, the others are closed before the process ends. */
async function closeAll(what: Closes | readonly Closes[], { drainMs, lameDuckMs, onClosed }: SignalOptions): Promise<void> {
  const how = { ...(drainMs !== undefined && { drainMs }), ...(lameDuckMs !== undefined && { lameDuckMs }) };
  const all: readonly Closes[] = 'close' in what ? [what] : what;
  const steps = await Promise.allSettled(all.map((one) => one.close(how)));
  await onClosed?.();
  for (const step of steps) if (step.status === 'rejected') throw step.reason;
}

function checkSignal(signal: string): void {
  if (signal in constants.signals && signal !== 'SIGKILL' && signal !== 'SIGSTOP') return;
  throw new A2AError('INVALID_PARAMS', `closeOnSignals cannot hear ${JSON.stringify(signal)}`);
}

/** As a shell says it of a process that a signal has ended. */
function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
