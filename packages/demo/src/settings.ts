/** What the environment may say, each with its default. */
export interface Settings {
  /** `PORT`. Default 4000; 0 takes any free one. */
  readonly port: number;
  /** `HOST`. Default 127.0.0.1: nobody but this machine. */
  readonly host: string;
  /** `PARLEY_DATA`, where its tasks are kept. Default ./data. */
  readonly dataFolder: string;
  /** `PARLEY_STORE`, the URL of a PostgreSQL that keeps them instead, for many nodes. Default: none. */
  readonly storeUrl?: string;
  /** `PARLEY_BUS`, the URL of a Redis through which those nodes hear each other. Default: the PostgreSQL. */
  readonly busUrl?: string;
}

/** A start that failed for a reason that a person can mend: its message is all they need to see. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const { PORT = '', HOST = '', PARLEY_DATA = '', PARLEY_STORE = '', PARLEY_BUS = '' } = env;
  const storeUrl = readUrl('PARLEY_STORE', PARLEY_STORE.trim(), STORE_URL);
  const busUrl = readUrl('PARLEY_BUS', PARLEY_BUS.trim(), BUS_URL);
  if (busUrl !== undefined && storeUrl === undefined) {
    throw new StartError(`PARLEY_BUS is for many nodes, which share a database: give PARLEY_STORE=${STORE_URL.example} too.`);
  }
  return {
    port: readPort(PORT.trim()),
    host: HOST.trim() || '127.0.0.1',
    dataFolder: PARLEY_DATA.trim() || './data',
    ...(storeUrl !== undefined && { storeUrl }),
    ...(busUrl !== undefined && { busUrl }),
  };
}

/** A kind of address. */
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
const BUS_URL: UrlKind = { schemes: ['redis:', 'rediss:'], what: 'a Redis', example: 'redis://localhost:6379' };

/** What is wrong with it is told without repeating it: there may be a password inside. */
function readUrl(name: string, text: string, { schemes, what, example }: UrlKind): string | undefined {
  if (text === '') return undefined;
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text;
  throw new StartError(`${name} must be the URL of ${what}, such as ${example}, and it is something else.`);
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
