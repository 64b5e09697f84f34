import type { VNode } from 'preact';
import { apiError, invalid } from '../../../shared/errors/errors.js';
import { contentContract } from '../../content/contract.js';
import type { Conflict } from '../../content/resources.js';
import { Empty, Heading, Notice } from '../elements/elements.js';
import { Button, Form } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import { type ScreenRequest, screen } from '../frame/screen.js';
import { placeAround } from '../reading/around.js';
import { changePlace } from '../reading/places.js';
import { fill } from '../words/languages.js';
import type { Words } from '../words/words.js';

/** Conflicts that one form settles. */
const maxConflicts = 500;

const sides = ['primary', 'change-request'] as const;
type Side = (typeof sides)[number];

/** Shows what both a change request and its space changed, side by side, with a choice for each. */
export const conflictScreen = screen({
  path: '/s/{space}/~/changes/{number}/~/conflicts',
  async show(request) {
    const { call, words, path, formToken, to } = request;
    const place = await changePlace(request, path.space, path.number);
    const { space, changeRequest } = place;
    const { items, count } = await call(contentContract.listChangeRequestConflicts, {
      path: { spaceId: space.id, changeRequestId: changeRequest.id },
      query: { limit: maxConflicts },
    });
    const maySettle = space.permissions.edit && (changeRequest.status === 'draft' || changeRequest.status === 'open');
    return {
      title: words.changes.conflicts,
      ...placeAround(request, place),
      main: (
        <>
          <Heading title={words.changes.conflicts} lead={items.length > 0 ? words.changes.conflictsLead : undefined} />
          {items.length === 0 && (
            <Empty>
              {words.changes.noConflicts}{' '}
              <a href={to.changeRequest(space.id, changeRequest.number)}>{words.reading.overview}</a>
            </Empty>
          )}
          {count > items.length && <Notice kind="warning">{fill(words.changes.tooManyConflicts, maxConflicts)}</Notice>}
          <Form token={formToken} action="settle">
            <input type="hidden" name="revision" value={space.revision} />
            {items.map((conflict, at) => (
              <ConflictView request={request} conflict={conflict} at={at} isOpen={maySettle} />
            ))}
            {items.length > 0 && maySettle && <Button kind="primary">{words.changes.settle}</Button>}
          </Form>
        </>
      ),
    };
  },
  actions: {
    async settle({ call, path, to, words }, fields) {
      const choices = choicesIn(fields);
      if (choices.some(({ choice }) => choice === undefined)) throw invalid(words.changes.chooseAll);
      const { result } = await call(contentContract.updateChangeRequest, {
        path: { spaceId: path.space, changeRequestId: path.number },
        body: { choices: choices as Chosen[], revision: fields.text('revision') },
      });
      if (result === 'conflicts') throw apiError('CONFLICT', words.changes.conflictsFound, 'wrong_state');
      return { to: to.changeRequest(path.space, path.number), done: 'updated' };
    },
  },
});

interface Chosen extends Pick<Conflict, 'kind' | 'id'> {
  choice: Side;
}

/** The choices of the form: one for each conflict that it had. */
const choicesIn = (fields: FormFields) =>
  fields.all('conflict').map((name, at) => {
    const [kind = '', ...id] = name.split(' ');
    const choice = sides.find((side) => side === fields.text(`choice-${at}`));
    return { kind: kind as Conflict['kind'], id: id.join(' '), choice };
  });

interface ConflictProps {
  request: ScreenRequest;
  conflict: Conflict;
  at: number;
  /** It can be settled. */
  isOpen: boolean;
}

function ConflictView({ request, conflict, at, isOpen }: ConflictProps): VNode {
  const { words, refused } = request;
  const { kind, id, title, deletedIn, attributes, hunks } = conflict;
  const names = { primary: words.changes.ofSpace, 'change-request': words.changes.ofRequest };
  const name = `${kind} ${id}`;
  // Others may have come meanwhile, so that it stood elsewhere in the form that was refused.
  const chosen = refused?.fields.text(`choice-${refused.fields.all('conflict').indexOf(name)}`);
  return (
    <fieldset class="conflict">
      <legend>
        <span class="hint-text">{kindOf(words, kind)}</span> {title || id}
      </legend>
      <input type="hidden" name="conflict" value={name} />
      {deletedIn && <p>{deletedIn === 'primary' ? words.changes.deletedInSpace : words.changes.deletedInRequest}</p>}
      {attributes.map((each) => (
        <Sides
          words={words}
          label={each.attribute}
          primary={valueText(words, each.primary)}
          changeRequest={valueText(words, each.changeRequest)}
          base={valueText(words, each.base)}
        />
      ))}
      {hunks.map((hunk) => (
        <Sides
          words={words}
          label={fill(words.changes.line, hunk.line)}
          primary={hunk.primary.join('\n')}
          changeRequest={hunk.changeRequest.join('\n')}
          base={hunk.base.join('\n')}
        />
      ))}
      {isOpen && (
        <div class="choices">
          {sides.map((side) => (
            <label>
              <input type="radio" name={`choice-${at}`} value={side} checked={chosen === side} required /> {names[side]}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}

function kindOf({ changes }: Words, kind: Conflict['kind']): string {
  const names = {
    page: changes.kindPage,
    file: changes.kindFile,
    'reusable-content': changes.kindReusable,
    variable: changes.kindVariable,
    redirect: changes.kindRedirect,
  };
  return names[kind];
}

const valueText = ({ changes }: Words, value: unknown): string =>
  value === undefined ? changes.absent : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

interface SidesProps {
  words: Words;
  label: string;
  primary: string;
  changeRequest: string;
  base: string;
}

const Sides = ({ words: { changes }, label, primary, changeRequest, base }: SidesProps): VNode => (
  <div class="sides">
    <p class="sides-label">{label}</p>
    <figure>
      <figcaption>{changes.ofSpace}</figcaption>
      <pre>{primary}</pre>
    </figure>
    <figure>
      <figcaption>{changes.ofRequest}</figcaption>
      <pre>{changeRequest}</pre>
    </figure>
    <details>
      <summary>{changes.before}</summary>
      <pre>{base}</pre>
    </details>
  </div>
);
