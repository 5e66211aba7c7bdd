import { useThisConversation } from '../app/session.js';

/** The page went away while this was being sent, and the agent can not be asked whether it came: a person decides. */
export function UnknownDelivery({ messageId }: { readonly messageId: string }) {
  const conversation = useThisConversation();
  const choose = (choice: 'resend' | 'discard') => void conversation.settle(messageId, choice).catch(() => undefined); // it is on the message
  return (
    <section aria-label="Unknown delivery" className="mt-2 rounded-sm border border-edge p-3 text-sm">
      <p>
        <span className="alarm">unknown</span> The page was closed while this was on its way. This agent can not tell whether it arrived.
        Sent again, it may be done twice.
      </p>
      <div className="mt-2 flex gap-2">
        <button type="button" className="boxed" onClick={() => choose('resend')}>
          Resend
        </button>
        <button type="button" className="boxed" onClick={() => choose('discard')}>
          Discard
        </button>
      </div>
    </section>
  );
}
