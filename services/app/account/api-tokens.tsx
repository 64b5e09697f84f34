import type { VNode } from 'preact';
import type { ApiToken } from '../../identity/resources.js';
import { Empty, Pager, Row, Rows, Section, Time } from '../elements/elements.js';
import { Button, Field, Form } from '../elements/forms.js';
import { nextEntries } from '../frame/here.js';
import type { ScreenRequest } from '../frame/screen.js';
import { fill } from '../words/languages.js';

interface Tokens {
  items: ApiToken[];
  next?: { page: string } | undefined;
}

/** The API tokens of the person who is signed in: each with its use, its end, and the one that it was made with. */
export function tokenSection(request: ScreenRequest, tokens: Tokens): VNode {
  const { words, formToken, refused } = request;
  const { account } = words;
  const labelOf = new Map(tokens.items.map(({ id, label }) => [id, label]));
  return (
    <Section title={account.tokens} id="tokens">
      <p>{account.tokensText}</p>
      {tokens.items.length === 0 && <Empty>{account.noTokens}</Empty>}
      <Rows label={account.tokens}>
        {tokens.items.map((token) => tokenRow(request, token, labelOf.get(token.parent ?? '')))}
      </Rows>
      <Pager next={nextEntries(request, tokens)} text={account.moreTokens} />
      <Form token={formToken} action="create" class="inline">
        <Field label={account.tokenLabel} name="label" required maxLength={50} value={refused?.fields.text('label')} />
        <Field
          label={`${account.tokenExpires} ${words.frame.optional}`}
          name="until"
          type="date"
          value={refused?.fields.text('until')}
        />
        <Button>{account.createToken}</Button>
      </Form>
    </Section>
  );
}

/** A token in the list. `parent`: the label of the token that it was made with, where that is shown too. */
function tokenRow(
  { words: { account }, locale, formToken }: ScreenRequest,
  { id, label, preview, lastUsedAt, expiresAt }: ApiToken,
  parent: string | undefined,
): VNode {
  const used = lastUsedAt ? (
    <>
      {fill(account.usedAt, '')} <Time iso={lastUsedAt} locale={locale} short />
    </>
  ) : (
    account.neverUsed
  );
  const end = expiresAt ? (
    <>
      {fill(account.validUntil, '')} <Time iso={expiresAt} locale={locale} short />
    </>
  ) : (
    account.never
  );
  return (
    <Row
      title={label}
      about={
        <>
          <code>{preview}</code> · {used} · {end}
          {parent !== undefined && ` · ${fill(account.madeWith, parent)}`}
        </>
      }
    >
      <Form token={formToken} action="revoke">
        <input type="hidden" name="api-token" value={id} />
        <Button kind="danger" confirm={fill(account.revokeSure, label)}>
          {account.revoke}
        </Button>
      </Form>
    </Row>
  );
}
