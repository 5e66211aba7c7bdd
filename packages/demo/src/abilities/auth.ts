import type { Ability } from '../ability.js';
import { speak } from '../speak.js';

export const auth: Ability = {
  word: 'auth',
  name: 'Want a permission',
  about: 'asks for an authorization (AUTH_REQUIRED) and goes on when you reply to the same task; "no" is refused',
  async run(context, events) {
    const { parts } = await context.requireAuth(
      'May I look into your calendar? Reply "yes", and we pretend that you have signed in there.',
    );
    const answer = parts.map((part) => part.text ?? '').join(' ');
    if (/^\s*no\b/i.test(answer)) return events.reject('Then I cannot do it.');
    await speak({ context, events }, 'calendar', 'Thank you. Your calendar is empty: it is a demo, and you are free all day.');
    await events.complete();
  },
};
