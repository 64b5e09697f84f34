import type { ComponentChildren, VNode } from 'preact';

interface FormProps {
  /** The token of the browser (`formToken`). */
  token: string;
  /** The action that the form asks for; left out where its buttons name one each. */
  action?: string;
  /** Where it is sent; default: the address of the screen. */
  to?: string;
  /** It uploads files. */
  files?: boolean;
  class?: string;
  /** Attributes for a script. */
  data?: Record<`data-${string}`, string>;
  children: ComponentChildren;
}

/** A form that changes something. */
export const Form = ({ token, action, to, files, class: kind, data, children }: FormProps): VNode => (
  <form method="post" action={to} encType={files ? 'multipart/form-data' : undefined} class={kind} {...data}>
    <input type="hidden" name="token" value={token} />
    {action !== undefined && <input type="hidden" name="action" value={action} />}
    {children}
  </form>
);

interface FieldProps {
  label: string;
  name: string;
  /** Where another field of the screen has the same name. */
  id?: string;
  value?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'date' | 'number';
  hint?: string;
  required?: boolean;
  maxLength?: number;
  minLength?: number;
  autocomplete?: string;
  autofocus?: boolean;
  placeholder?: string;
}

/** A line of text with its label. */
export const Field = ({ label, name, id = name, hint, autofocus, ...input }: FieldProps): VNode => (
  <p class="form-field">
    <label for={`field-${id}`}>{label}</label>
    <input
      id={`field-${id}`}
      name={name}
      type="text"
      autofocus={autofocus}
      aria-describedby={hint ? `hint-${id}` : undefined}
      {...(input as object)}
    />
    {hint && (
      <small id={`hint-${id}`} class="hint-text">
        {hint}
      </small>
    )}
  </p>
);

interface TextAreaProps {
  label: string;
  name: string;
  id?: string;
  value?: string;
  rows?: number;
  required?: boolean;
  maxLength?: number;
  placeholder?: string;
  readOnly?: boolean;
}

/** Several lines of text with their label. */
export const TextArea = ({ label, name, id = name, value = '', rows = 3, ...area }: TextAreaProps): VNode => (
  <p class="form-field">
    <label for={`field-${id}`}>{label}</label>
    <textarea id={`field-${id}`} name={name} rows={rows} {...area}>
      {value}
    </textarea>
  </p>
);

interface SelectProps {
  label: string;
  name: string;
  id?: string;
  value?: string | undefined;
  options: readonly { value: string; text: string }[];
  required?: boolean;
  /** The label is only read out. */
  quiet?: boolean;
}

/** A choice of one. */
export const Select = ({ label, name, id = name, value, options, quiet, required }: SelectProps): VNode => (
  <p class="form-field">
    <label for={`field-${id}`} class={quiet ? 'visually-hidden' : undefined}>
      {label}
    </label>
    <select id={`field-${id}`} name={name} required={required}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.text}
        </option>
      ))}
    </select>
  </p>
);

interface CheckProps {
  label: ComponentChildren;
  name: string;
  value?: string;
  checked?: boolean;
}

/** A box to tick. */
export const Check = ({ label, name, value = 'on', checked }: CheckProps): VNode => (
  <p class="form-check">
    <label>
      <input type="checkbox" name={name} value={value} checked={checked} /> {label}
    </label>
  </p>
);

interface ButtonProps {
  /** The action that the button asks for, where its form has several. */
  action?: string;
  kind?: 'primary' | 'danger' | 'plain';
  /** Names it where its content is a sign. */
  name?: string;
  /** The question that the browser asks before it is sent; without a script it is sent at once. */
  confirm?: string;
  children: ComponentChildren;
}

/** Sends the form that it is in. */
export const Button = ({ action, kind, name, confirm, children }: ButtonProps): VNode => (
  <button
    type="submit"
    class={`button ${kind ?? ''}`}
    name={action === undefined ? undefined : 'action'}
    value={action}
    aria-label={name}
    title={name}
    data-confirm={confirm}
  >
    {children}
  </button>
);

interface DeletionProps {
  token: string;
  title: string;
  /** Says what goes with it. */
  text?: string | undefined;
  /** Asked before. */
  confirm?: string;
  /** The text of the button where it is another than the title. */
  button?: string;
  /** Fields that nobody sees. */
  children?: ComponentChildren;
}

/** Deletes what a screen is about, once it is opened. */
export const Deletion = ({ token, title, text, confirm, button = title, children }: DeletionProps): VNode => (
  <details class="panel">
    <summary>{title}</summary>
    <Form token={token} action="delete">
      {children}
      {text && <p>{text}</p>}
      <Button kind="danger" confirm={confirm}>
        {button}
      </Button>
    </Form>
  </details>
);
