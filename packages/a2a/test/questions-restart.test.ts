import { describe } from 'vitest';
import { sqlite } from '../src/stores/sqlite/index.js';
import { testKilledCashier } from './killed-cashier.js';
import { tempFiles } from './temp-folder.js';

const newFile = tempFiles();

describe('F1: on SQLite, with a process that is killed', () => {
  testKilledCashier({ newPlace: () => [newFile()], open: (file = '') => sqlite(file) });
});
