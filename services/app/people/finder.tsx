import type { ComponentChildren, VNode } from 'preact';

interface FinderProps {
  label: string;
  /** The words on its button. */
  button: string;
  value: string;
  maxLength: number;
  /** Further choices that narrow the list. */
  children?: ComponentChildren;
}

/** Finds entries of the list below it. */
export const Finder = ({ label, button, value, maxLength, children }: FinderProps): VNode => (
  <search>
    <form class="finder">
      <input type="search" name="q" aria-label={label} placeholder={label} value={value} maxLength={maxLength} />
      {children}
      <button type="submit" class="button">
        {button}
      </button>
    </form>
  </search>
);
