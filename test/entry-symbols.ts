// The exported symbols of each entry point of the library, for the tests of names and of documentation.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const library = new URL('../packages/a2a/', import.meta.url);
export const source = fileURLToPath(new URL('src/', library));
export const { exports } = JSON.parse(readFileSync(new URL('package.json', library), 'utf8'));
export const { checker, modules } = readEntries();

/** What each entry point exports: the symbol behind each name, aliases followed. */
function readEntries() {
  const files = new Map(Object.entries<{ default: string }>(exports).map(([entry, { default: file }]) => [entry, toSource(file)]));
  // No libraries and no packages: only names are looked up, and reading the libraries would take most of the time.
  const options = { noLib: true, types: [], module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? { resolvedFileName: fileURLToPath(new URL(text.replace(/\.js$/, '.ts'), `file://${from}`)), extension: '.ts' }
        : undefined,
    }));
  const program = ts.createProgram([...files.values()], options, host);
  const checker = program.getTypeChecker();
  const modules = new Map([...files].map(([entry, file]) => [entry, exportsOf(program.getSourceFile(file), checker)]));
  return { checker, modules };
}

function toSource(file: string): string {
  return fileURLToPath(new URL(file.replace('./dist/', './src/').replace(/\.js$/, '.ts'), library));
}

function exportsOf(file: ts.SourceFile | undefined, checker: ts.TypeChecker): ReadonlyMap<string, ts.Symbol> {
  const module = file && checker.getSymbolAtLocation(file);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [symbol.name, follow(symbol, checker)]));
}

export function follow(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
