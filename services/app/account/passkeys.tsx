import type { VNode } from 'preact';
import { addPasskey, beginPasskey, identityContract, passkeyDomain } from '../../identity/contract.js';
import type { Passkey } from '../../identity/resources.js';
import { Empty, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import { PasskeyForm } from '../elements/passkey-form.js';
import { jsonAnswer } from '../frame/answers.js';
import type { FormFields } from '../frame/form-fields.js';
import { endpoint, type Onward, type Route, type ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';

/** Answers the script that asks the browser for a new passkey. */
export const passkeyEndpoint = (): Route =>
  endpoint({
    path: '/account/passkey',
    method: 'POST',
    answer: async ({ call }) => jsonAnswer(await call(beginPasskey, {})),
  });

/** The actions of the section, for the screen that it is in. */
export const passkeyActions = {
  async 'add-passkey'({ call, to, agent }: ScreenRequest, fields: FormFields): Promise<Onward> {
    await call(addPasskey, { credential: fields.json('credential'), agent });
    return { to: to.account, done: 'passkeyAdded' };
  },
  async 'remove-passkey'({ call, to }: ScreenRequest, fields: FormFields): Promise<Onward> {
    await call(identityContract.deleteUserPasskey, { path: { passkeyId: fields.text('passkey') } });
    return { to: to.account, done: 'passkeyRemoved' };
  },
};

/** Whether people may have passkeys here: after a sign-in of their own, at the address of the server. */
export const mayHavePasskeys = ({ session, origin }: ScreenRequest, baseUrl: string): boolean =>
  passkeyDomain(baseUrl) !== null &&
  new URL(origin).origin === new URL(baseUrl).origin &&
  session.caller.kind === 'user' &&
  session.caller.scope === undefined;

/** The passkeys of a person, and the way to another one. */
export async function passkeySection(request: ScreenRequest): Promise<VNode> {
  const { call, words, session } = request;
  const { items } = await call(identityContract.listUserPasskeys, { path: {}, query: { limit: 100 } });
  const { account } = words;
  return (
    <Section title={account.passkeys} id="passkeys">
      <p>{account.passkeysText}</p>
      {items.length === 0 && <Empty>{account.noPasskeys}</Empty>}
      <Rows label={account.passkeys}>{items.map((each) => passkeyRow(request, each))}</Rows>
      {session.mayAddPasskeys ? additionForm(request) : <p class="hint-text">{account.passkeyNeedsSignIn}</p>}
    </Section>
  );
}

const additionForm = ({ words: { account }, formToken, to }: ScreenRequest) => (
  <>
    <PasskeyForm
      token={formToken}
      action="add-passkey"
      asks="create"
      at={to.accountPasskey}
      failed={account.passkeyFailed}
    >
      <Button>{account.addPasskey}</Button>
    </PasskeyForm>
    <noscript>
      <p class="hint-text">{account.passkeyNeedsScript}</p>
    </noscript>
  </>
);

const passkeyRow = ({ words: { account, frame }, locale, formToken }: ScreenRequest, passkey: Passkey) => (
  <Row
    title={passkey.label}
    about={
      passkey.lastUsedAt === undefined ? (
        account.neverUsed
      ) : (
        <>
          {fill(account.lastUsed, '')} <Time iso={passkey.lastUsedAt} locale={locale} short />
        </>
      )
    }
  >
    <Form token={formToken} action="remove-passkey">
      <input type="hidden" name="passkey" value={passkey.id} />
      <Button kind="danger">{frame.remove}</Button>
    </Form>
  </Row>
);
