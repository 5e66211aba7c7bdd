import { inject, test } from 'vitest';
import { postgres } from '../../src/postgres.js';
import { checkBothSides } from '../conversation-checks.js';
import { newSchema } from './provided.js';

test('F4, D47: conversation() returns the answers of the agent, task by task (PostgreSQL)', () =>
  checkBothSides(postgres(inject('postgresUrl'), { schema: newSchema() })));
