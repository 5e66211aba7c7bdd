/** Closes servers and agents on a signal, then exits the process. */
import { constants } from 'node:os';
import { A2AError } from '../../protocol/errors.js';
import { type CloseOptions, checkClose } from '../../server/agent.js';

/** A server from `listen`, or an agent with a server of your own. */
export interface Closable {
  close(options?: CloseOptions): Promise<void>;
}

/** Options of `closeOnSignals`: which signals close the servers, and what to do afterwards. */
export interface SignalOptions extends CloseOptions {
  /** Default SIGTERM, which process managers send, and SIGINT, which is Ctrl-C. */
  readonly signals?: readonly NodeJS.Signals[];
  /**
   * Does further cleanup, such as closing a Pool of your own. Also called when closing failed; the process waits for it before it exits.
   * Default: no cleanup.
   */
  readonly onClosed?: () => void | Promise<void>;
  /** Called when closing or `onClosed` failed; the process then exits with code 1. Default: the error is not reported. */
  readonly onError?: (error: unknown) => void;
}

// npm and the terminal may both forward the same Ctrl-C.
const SAME_SIGNAL_MS = 1_000;

/**
 * Closes at the first signal and exits with code 0. A second signal, at least one second later, exits at once. The returned function
 * removes the handlers; it has no effect after the first signal.
 */
export function closeOnSignals(what: Closable | readonly Closable[], options: SignalOptions = {}): () => void {
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

async function end(what: Closable | readonly Closable[], options: SignalOptions): Promise<never> {
  try {
    await closeAll(what, options);
  } catch (error) {
    options.onError?.(error);
    process.exit(1);
  }
  process.exit(0);
}

/** Closes all of them, even if one fails. */
async function closeAll(what: Closable | readonly Closable[], { drainMs, lameDuckMs, onClosed }: SignalOptions): Promise<void> {
  const how = { ...(drainMs !== undefined && { drainMs }), ...(lameDuckMs !== undefined && { lameDuckMs }) };
  const all: readonly Closable[] = 'close' in what ? [what] : what;
  const steps = await Promise.allSettled(all.map((one) => one.close(how)));
  await onClosed?.();
  for (const step of steps) if (step.status === 'rejected') throw step.reason;
}

function checkSignal(signal: string): void {
  if (signal in constants.signals && signal !== 'SIGKILL' && signal !== 'SIGSTOP') return;
  throw new A2AError('INVALID_PARAMS', `closeOnSignals cannot handle the signal ${JSON.stringify(signal)}`);
}

/** The exit code that shells use for a process ended by a signal. */
function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
