import { expect, test } from 'vitest';
import { tempFiles } from '../../../test/temp-folder.js';
import { Connection } from './connection.js';

const newFile = tempFiles();

/** The rows of `child` are checked at the end of the statement, as late as the error of a full disk. */
function withLateCheck(): Connection {
  const db = new Connection(newFile());
  db.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
  `);
  return db;
}

test('D12: an error at the very end of a command is not lost', () => {
  const db = withLateCheck();
  const command = db.command('INSERT INTO child VALUES (?)');
  const insertion = db.insertion('INSERT INTO child VALUES (?)');
  const returning = db.returning('INSERT INTO child VALUES (?) RETURNING parent');
  for (const run of [command, insertion, returning]) expect(() => run([7])).toThrow('FOREIGN KEY');
  expect(() => db.transaction(() => command([7]))).toThrow('FOREIGN KEY');
  expect(db.ask('SELECT count(*) FROM child')).toBe(0);
  db.close();
});

test('D12: a failed transaction leaves nothing, throws, and does not block the next one', () => {
  const db = withLateCheck();
  const add = db.command('INSERT INTO parent VALUES (?)');
  let forgotten = 0;
  db.onRollback(() => {
    forgotten += 1;
  });
  const fail = (): never => {
    add([1]);
    throw new Error('halfway');
  };
  expect(() => db.transaction(fail)).toThrow('halfway');
  expect([db.ask('SELECT count(*) FROM parent'), forgotten]).toEqual([0, 1]);
  expect(db.transaction(() => add([1]))).toBe(1);
  expect([db.ask('SELECT count(*) FROM parent'), forgotten]).toEqual([1, 1]);
  db.close();
});

test('D12: an insertion returns the key of its row, or undefined', () => {
  const db = withLateCheck();
  const insertion = db.insertion('INSERT INTO parent VALUES (?) ON CONFLICT DO NOTHING');
  expect([insertion([5]), insertion([6]), insertion([5])]).toEqual([5, 6, undefined]);
  db.close();
});
