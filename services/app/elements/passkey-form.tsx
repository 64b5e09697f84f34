import type { ComponentChildren, VNode } from 'preact';

interface PasskeyFormProps {
  token: string;
  action: string;
  /** Whether the browser makes a passkey, or uses one. */
  asks: 'create' | 'get';
  /** The address at which a script gets what to ask the browser for. */
  at: string;
  /** Tells people that their browser gave no passkey. */
  failed: string;
  class?: string;
  children: ComponentChildren;
}

/** A form that a script fills in with the answer of a passkey, and shows: without it, the form stays hidden. */
export const PasskeyForm = ({ token, action, asks, at, failed, class: kind, children }: PasskeyFormProps): VNode => (
  <form method="post" class={kind} hidden data-passkey={asks} data-at={at} data-failed={failed}>
    <input type="hidden" name="token" value={token} />
    <input type="hidden" name="action" value={action} />
    <input type="hidden" name="credential" value="" />
    {children}
    <p role="alert" hidden />
  </form>
);
