/** How statements and counts identify tasks. */
import type { RefColumns } from '../sql/tasks.js';
import type { OwnerColumns } from './totals.js';

/** The condition that finds one task; its parameters are `refValues`. */
export const BY_REF = 'agent = ? AND tenant = ? AND owner = ? AND id = ?';

export function ownerOf([agent, tenant, owner]: RefColumns): OwnerColumns {
  return { agent, tenant, owner };
}
