// Chromium: the page calls it.
import { takeTurn } from '../turn.mjs';

Reflect.set(globalThis, 'takeTurn', takeTurn);
