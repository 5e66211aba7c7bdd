import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

export const auth: Ability = {
  word: 'auth',
  name: 'Ask for authorization',
  about: 'Asks for your permission (AUTH_REQUIRED) and continues when you reply to the same task. "no" ends it as REJECTED.',
  async run(context, events) {
    const { parts } = await context.requireAuth('May I look into your calendar? Reply "yes" to pretend that you have signed in.');
    const answer = parts.map((part) => part.text ?? '').join(' ');
    if (/^\s*no\b/i.test(answer)) return events.reject('Without your permission I cannot look into your calendar.');
    await speak({ context, events }, 'calendar', 'Thank you. This is a demo, so your calendar is empty: you are free all day.');
    await events.complete();
  },
};
