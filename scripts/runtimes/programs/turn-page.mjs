// For Chromium: the page calls these functions.
import { createClient } from '@parley/a2a/client';
import { defaultExchange } from '../exchange.mjs';
import { runOnce } from '../turn.mjs';

/** The error message for an agent that does not allow this origin. */
const refusalOf = async (/** @type {string} */ url) => {
  try {
    await createClient(url, { retry: false }).send('hello');
    return 'no error: the agent replied';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

Object.assign(globalThis, { takeTurn: runOnce, defaultExchange, refusalOf });
