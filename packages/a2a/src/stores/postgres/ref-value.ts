import { SEPARATOR } from '../sql/name.js';
import { refValues } from '../sql/tasks.js';
import type { TaskRef } from '../store.js';

/** What `refOf` of the database is compared with. */
export function refValue(ref: TaskRef): string {
  return refValues(ref).join(SEPARATOR);
}
