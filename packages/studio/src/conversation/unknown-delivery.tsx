import { useThisConversation } from '../state/session.js';

/** The page closed while this message was being sent, and this agent cannot report whether it arrived. The user decides. */
export function UnknownDelivery({ messageId }: { readonly messageId: string }) {
  const conversation = useThisConversation();
  const choose = (choice: 'resend' | 'discard') => void conversation.settle(messageId, choice).catch(() => undefined); // the message shows the error
  return (
    <section aria-label="Delivery unknown" className="mt-2 rounded-sm border border-edge p-3 text-sm">
      <p>
        <span className="alarm">unknown</span> The page closed while this message was being sent, and this agent cannot report whether it
        arrived. If you resend it, the agent may do the work twice.
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
