/** Which of the compressed forms of a file a client takes. */
export type Encoding = 'br' | 'gzip';

/** The smallest first, with what a build adds to the names of such files. */
export const ENCODINGS: readonly { readonly name: Encoding; readonly suffix: string }[] = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

/** The smallest form there is that `Accept-Encoding` allows; undefined for the file as it is. */
export function chooseEncoding(accepted: string, forms: ReadonlyMap<Encoding, unknown>): Encoding | undefined {
  return ENCODINGS.find(({ name }) => forms.has(name) && allows(accepted, name))?.name;
}

function allows(accepted: string, encoding: Encoding): boolean {
  const [, quality] = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.trim().split(/\s*;\s*q=/))
    .find(([name]) => name === encoding) ?? ['', '0'];
  return quality === undefined || Number(quality) > 0;
}
