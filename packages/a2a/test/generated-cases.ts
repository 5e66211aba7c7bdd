/**
 * The number of generated cases of a property. `npm test` runs a tenth of them; `npm run generated` sets PARLEY_GENERATED=all and runs the
 * whole number, with the same seeds where a test fixes one.
 */
export function generatedCases(all: number): number {
  return process.env.PARLEY_GENERATED === 'all' ? all : Math.ceil(all / 10);
}
