/** The settings from environment variables, with their defaults. */
export interface Settings {
  /** `PORT`. Default 4000; 0 selects any free port. */
  readonly port: number;
  /** `HOST`. Default 127.0.0.1: reachable only from this machine. */
  readonly host: string;
  /** `PARLEY_DATA`, the folder for tasks. Default ./data. */
  readonly dataFolder: string;
  /** `PARLEY_STORE`, the URL of a PostgreSQL database that stores the tasks instead, for many nodes. Default: none. */
  readonly storeUrl?: string;
  /** `PARLEY_BUS`, the URL of a Redis server through which those nodes notify each other. Default: the PostgreSQL database. */
  readonly busUrl?: string;
}

/** A failed start that the user can fix. Only its message is printed. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { PORT = '', HOST = '', PARLEY_DATA = '', PARLEY_STORE = '', PARLEY_BUS = '' } = env;
  const storeUrl = readUrl('PARLEY_STORE', PARLEY_STORE.trim(), STORE_URL);
  const busUrl = readUrl('PARLEY_BUS', PARLEY_BUS.trim(), BUS_URL);
  if (busUrl !== undefined && storeUrl === undefined) {
    throw new StartError(`PARLEY_BUS is for many nodes that share a database. Set PARLEY_STORE=${STORE_URL.example} too.`);
  }
  return {
    port: readPort(PORT.trim()),
    host: HOST.trim() || '127.0.0.1',
    dataFolder: PARLEY_DATA.trim() || './data',
    ...(storeUrl !== undefined && { storeUrl }),
    ...(busUrl !== undefined && { busUrl }),
  };
}

/** A kind of URL. */
interface UrlKind {
  readonly schemes: readonly string[];
  readonly what: string;
  readonly example: string;
}

const STORE_URL: UrlKind = {
  schemes: ['postgres:', 'postgresql:'],
  what: 'a PostgreSQL database',
  example: 'postgresql://user:password@localhost:5432/parley',
};
const BUS_URL: UrlKind = { schemes: ['redis:', 'rediss:'], what: 'a Redis server', example: 'redis://localhost:6379' };

/** The error omits the value, because it may contain a password. */
function readUrl(name: string, text: string, { schemes, what, example }: UrlKind): string | undefined {
  if (text === '') return undefined;
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text;
  throw new StartError(
    `${name} must be the URL of ${what}, such as ${example}. The value is not shown here, because it may contain a password.`,
  );
}

function readPort(text: string): number {
  if (text === '') return 4000;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new StartError(`PORT must be a whole number from 0 to 65535, got ${JSON.stringify(text)}.`);
}

const REASONS: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use. Stop the program that uses it, or choose another port with PORT=${port + 1} npm start.`,
  EACCES: ({ port }) => `Port ${port} needs privileges that you do not have. Choose a port above 1023, such as PORT=4000.`,
  EADDRNOTAVAIL: ({ host }) => `HOST must be an address of this machine, got ${host}.`,
  ENOTFOUND: ({ host }) => `HOST must be an address or a name of this machine, but ${host} is unknown.`,
};

/** Converts the error of a failed listen to a helpful message. */
export function toStartError(error: unknown, settings: Settings): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  return reason ? new StartError(reason(settings), { cause: error }) : error;
}
