// Reads which file of a folder imports which.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: 'file' | 'node' | 'package';
}

export interface ImportGraph {
  /** The text of each file, by its path without the extension. Tests are left out. */
  readonly code: ReadonlyMap<string, string>;
  readonly imports: readonly Import[];
}

/** `conditions`: the files that stand for the names of conditional imports. */
export function readImports(folder: URL, conditions: Readonly<Record<string, string>> = {}): ImportGraph {
  const source = fileURLToPath(folder);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.tsx?$/.test(path));
  const code = new Map(files.map((path) => [path.replaceAll('\\', '/').replace(/\.tsx?$/, ''), readFileSync(join(source, path), 'utf8')]));
  return { code, imports: [...code].flatMap(([file, text]) => importsOf(file, text, conditions)) };
}

export function importsOf(from: string, text: string, conditions: Readonly<Record<string, string>> = {}): Import[] {
  const statements = text.matchAll(/^(?:import|export)\b(?:[^;'"=(]*\bfrom)?\s*['"]([^'"]+)['"]/gm);
  const expressions = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g);
  return [...statements, ...expressions].map(([, specifier = '']) => {
    const condition = conditions[specifier];
    if (condition !== undefined) return { from, to: condition, kind: 'file' };
    if (specifier.startsWith('node:')) return { from, to: specifier, kind: 'node' };
    if (!specifier.startsWith('.')) return { from, to: specifier, kind: 'package' };
    return { from, to: posix.join(posix.dirname(from), specifier).replace(/\.js$/, ''), kind: 'file' };
  });
}

/** `place` is a folder or a file. */
export function isInside(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

/** The longest of these places that contains the file. */
export function placeOf(file: string, places: readonly string[]): string | undefined {
  return places.filter((place) => isInside(file, place)).sort((a, b) => b.length - a.length)[0];
}

export function show({ from, to }: Import): string {
  return `${from} → ${to}`;
}

/** Returns one cycle as a path, or an empty list. Each file is visited once. */
export function findCycle({ code, imports }: ImportGraph): readonly string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { to } of imports.filter(({ from }) => from === file)) {
      const cycle = visit(to, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of code.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
