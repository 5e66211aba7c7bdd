/** What the environment may say, each with its default. */
export interface Settings {
  /** `PORT`. Default 4000; 0 takes any free one. */
  readonly port: number;
  /** `HOST`. Default 127.0.0.1: nobody but this machine. */
  readonly host: string;
  /** `PARLEY_DATA`, where its tasks are kept. Default ./data. */
  readonly dataFolder: string;
}

/** A start that failed for a reason that a person can mend: its message is all they need to see. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { PORT = '', HOST = '', PARLEY_DATA = '' } = env;
  return { port: readPort(PORT.trim()), host: HOST.trim() || '127.0.0.1', dataFolder: PARLEY_DATA.trim() || './data' };
}

function readPort(text: string): number {
  if (text === '') return 4000;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new StartError(`PORT must be a whole number from 0 to 65535, and it is ${JSON.stringify(text)}.`);
}

const REASONS: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use: stop what runs there, or choose another with PORT=${port + 1} npm start.`,
  EACCES: ({ port }) => `Port ${port} needs rights that you do not have: choose one above 1023, such as PORT=4000.`,
  EADDRNOTAVAIL: ({ host }) => `HOST must be an address of this machine, and ${host} is not.`,
  ENOTFOUND: ({ host }) => `HOST must be an address or a name of this machine, and ${host} is not known.`,
};

/** The error of a server that could not listen, in words that help. */
export function toStartError(error: unknown, settings: Settings): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  return reason ? new StartError(reason(settings), { cause: error }) : error;
}
