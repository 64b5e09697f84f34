import type { VNode } from 'preact';
import { Button, Form } from '../elements/forms.js';
import type { ScreenRequest } from '../frame/screen.js';
import type { Place } from '../reading/places.js';
import { peopleList } from './people.js';

/** Characters of a text, as its service takes them. */
const maxText = 20_000;

/** Whether it was this form that was refused, so that it stands open. */
export const wasRefused = (
  { refused }: ScreenRequest,
  action: string,
  hidden: Record<string, string | undefined>,
): boolean =>
  refused?.fields.raw('action') === action &&
  Object.entries(hidden).every(([name, kept = '']) => refused.fields.text(name) === kept);

interface TextFormProps {
  request: ScreenRequest;
  place: Place;
  /** The action of the form. */
  action: string;
  /** Begins the ids of its fields: several forms stand on a screen. */
  id: string;
  label: string;
  button: string;
  value?: string;
  /** Fields that nobody sees: what the text is about. */
  hidden?: Record<string, string | undefined>;
}

/** A form for a text of a comment or a reply. What was refused stands in it again. */
export function TextForm({ request, place, action, id, label, button, value = '', hidden = {} }: TextFormProps): VNode {
  const { words, formToken, refused, to } = request;
  const isRefused = wasRefused(request, action, hidden);
  return (
    <Form token={formToken} action={action} class="text-form">
      {Object.entries(hidden).map(
        ([name, kept]) => kept !== undefined && <input type="hidden" name={name} value={kept} />,
      )}
      <p class="form-field">
        <label for={`${id}-body`}>{label}</label>
        <textarea
          id={`${id}-body`}
          name="body"
          rows={3}
          required
          maxLength={maxText}
          aria-describedby={`${id}-hint`}
          data-people={to.people(place.space.id)}
        >
          {isRefused ? refused?.fields.raw('body') : value}
        </textarea>
        <small id={`${id}-hint`} class="hint-text">
          {words.comments.writeHint}
        </small>
      </p>
      <div class="text-form-end">
        <details class="mention-choice">
          <summary class="button plain">@ {words.comments.mention}</summary>
          <p class="form-field">
            <label for={`${id}-mention`} class="visually-hidden">
              {words.comments.mention}
            </label>
            <input
              id={`${id}-mention`}
              name="mention"
              list={peopleList}
              autocomplete="off"
              maxLength={256}
              placeholder={words.comments.mentionName}
              value={isRefused ? refused?.fields.text('mention') : ''}
            />
          </p>
        </details>
        <Button kind="primary">{button}</Button>
      </div>
    </Form>
  );
}
