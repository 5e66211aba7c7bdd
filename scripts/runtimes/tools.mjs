// Paths of the other platforms.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** @param {'bun' | 'deno' | 'workerd'} name */
export const binary = (name) => join(folder, 'node_modules/.bin', name);
