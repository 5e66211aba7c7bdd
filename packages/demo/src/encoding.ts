/** Selects the compressed form of a file that a client accepts. */
export type Encoding = 'br' | 'gzip';

/** The smallest first, with the suffix that the build adds to file names. */
export const ENCODINGS: readonly { readonly name: Encoding; readonly suffix: string }[] = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

/** The smallest available form that `Accept-Encoding` allows; undefined for the uncompressed file. */
export function chooseEncoding(accepted: string, forms: ReadonlyMap<Encoding, unknown>): Encoding | undefined {
  return ENCODINGS.find(({ name }) => forms.has(name) && allows(accepted, name))?.name;
}

function allows(accepted: string, encoding: Encoding): boolean {
  const [, quality] = accepted
    .toLowerCase()
    .replace(/\s/g, '')
    .split(',')
    .map((one) => one.split(';q='))
    .find(([name]) => name === encoding) ?? ['', '0'];
  return quality === undefined || Number(quality) > 0;
}
