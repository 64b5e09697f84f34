import type { VNode } from 'preact';
import type { OidcProvider, Role, Team } from '../../identity/resources.js';
import { Section } from '../elements/elements.js';
import { Button, Check, Field, Form, Select } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import type { ScreenRequest } from '../frame/screen.js';
import { roleChoices, roleIn, roleValue } from '../people/roles.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';

/** Lines for groups beyond those that are set. */
const spareLines = 3;
const maxGroups = 100;

type Shown = Pick<ScreenRequest, 'words' | 'formToken' | 'refused'>;

interface Edited {
  /** Undefined for a new one. */
  provider?: OidcProvider;
  teams: Team[];
}

/** The settings of a provider: those that were sent and refused, else those that it has. */
export function providerForm({ words, formToken, refused }: Shown, { provider, teams }: Edited): VNode {
  const texts = words.singleSignOn;
  const sent = refused?.fields;
  const text = (name: string, stored = '') => (sent ? sent.raw(name) : stored);
  const teamOptions = [
    { value: '', text: texts.noTeam },
    ...teams.map(({ id, title }) => ({ value: id, text: title })),
  ];
  return (
    <Form token={formToken} action={provider ? 'save' : 'create'}>
      <Field label={texts.label} name="label" value={text('label', provider?.label)} required maxLength={30} />
      <Field
        label={texts.issuer}
        name="issuer"
        type="url"
        value={text('issuer', provider?.issuer)}
        hint={texts.issuerHint}
        required
        maxLength={512}
      />
      <Field
        label={texts.clientId}
        name="clientId"
        value={text('clientId', provider?.clientId)}
        required
        maxLength={256}
      />
      <Field
        label={texts.clientSecret}
        name="clientSecret"
        type="password"
        autocomplete="off"
        maxLength={1024}
        hint={provider?.hasClientSecret ? texts.secretKept : words.frame.optional}
      />
      <Field
        label={texts.scopes}
        name="scopes"
        value={text('scopes', (provider?.scopes ?? defaultScopes).join(' '))}
        required
      />
      <Field
        label={texts.domains}
        name="emailDomains"
        value={text('emailDomains', provider?.emailDomains.join(' '))}
        hint={texts.domainsHint}
      />
      <Select
        label={texts.defaultRole}
        name="defaultRole"
        value={text('defaultRole', roleValue(provider?.defaultRole ?? null))}
        options={roleChoices(words, { guests: true })}
      />
      <Select
        label={texts.defaultTeam}
        name="defaultTeam"
        value={text('defaultTeam', provider?.defaultTeam?.id)}
        options={teamOptions}
      />
      <Section title={texts.groups} id="groups">
        <p>{texts.groupsText}</p>
        <Field
          label={texts.groupsClaim}
          name="groupsClaim"
          value={text('groupsClaim', provider?.groupsClaim)}
          hint={texts.groupsClaimHint}
          maxLength={256}
        />
        {groupLines({ words, sent }, provider, teamOptions)}
      </Section>
      <Check label={texts.people} name="active" checked={sent ? sent.isOn('active') : (provider?.active ?? true)} />
      <Button kind="primary">{provider ? words.frame.save : texts.create}</Button>
    </Form>
  );
}

const defaultScopes = ['openid', 'email', 'profile'];

/** A line for each group that is set, and some empty ones. */
function groupLines(
  { words, sent }: { words: Words; sent: FormFields | undefined },
  provider: OidcProvider | undefined,
  teamOptions: { value: string; text: string }[],
): VNode[] {
  const { singleSignOn: texts } = words;
  const roles = [{ value: '', text: texts.noRole }, ...roleChoices(words, { guests: false })];
  const set = sent ? groupsIn(sent) : (provider?.groups ?? []);
  const lines = Math.min(maxGroups, set.length + spareLines);
  return Array.from({ length: lines }, (_, at) => {
    const { group = '', team = '', role = '' } = set[at] ?? {};
    const number = at + 1;
    return (
      <div class="actions">
        <Field label={fill(texts.group, number)} name={`group-${at}`} value={group} maxLength={256} />
        <Select label={fill(texts.team, number)} name={`team-${at}`} value={team} options={teamOptions} />
        <Select label={fill(texts.role, number)} name={`role-${at}`} value={role} options={roles} />
      </div>
    );
  });
}

interface SentGroup {
  group: string;
  team?: string;
  role?: Role;
}

/** The lines that name a group. The operation says what is wrong with them. */
function groupsIn(fields: FormFields): SentGroup[] {
  return Array.from({ length: maxGroups }, (_, at): SentGroup[] => {
    const group = fields.optional(`group-${at}`);
    const team = fields.optional(`team-${at}`);
    const role = fields.optional(`role-${at}`) as Role | undefined;
    return group === undefined ? [] : [{ group, ...(team && { team }), ...(role && { role }) }];
  }).flat();
}

const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

/** The settings as the form has them: an empty secret keeps the one that is stored. */
export function settingsIn(fields: FormFields) {
  const secret = fields.raw('clientSecret');
  return {
    label: fields.text('label'),
    issuer: fields.text('issuer'),
    clientId: fields.text('clientId'),
    ...(secret === '' ? {} : { clientSecret: secret }),
    scopes: wordsIn(fields.text('scopes')),
    emailDomains: wordsIn(fields.text('emailDomains')),
    defaultRole: roleIn(fields, 'defaultRole'),
    defaultTeam: fields.optional('defaultTeam') ?? null,
    groupsClaim: fields.optional('groupsClaim') ?? null,
    groups: groupsIn(fields),
    active: fields.isOn('active'),
  };
}
