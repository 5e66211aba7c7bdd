import { handle } from '../agent.mjs';

export default { fetch: handle };
