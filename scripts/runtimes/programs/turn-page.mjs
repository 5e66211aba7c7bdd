// Chromium: the page calls it.
import { createClient } from '@parley/a2a/client';
import { defaultExchange } from '../exchange.mjs';
import { takeTurn } from '../turn.mjs';

/** What an agent that does not allow this page says. */
const refusalOf = async (/** @type {string} */ url) => {
  try {
    await createClient(url, { retry: false }).send('hello');
    return 'it was answered';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

Object.assign(globalThis, { takeTurn, defaultExchange, refusalOf });
