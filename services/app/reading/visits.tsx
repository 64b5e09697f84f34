import type { VNode } from 'preact';
import { iconSvg } from '../../../shared/icons/icons.js';
import { isFavourite, noteVisit, setFavourite } from '../../content/contract.js';
import { Button, Form } from '../elements/forms.js';
import type { FormFields } from '../frame/form-fields.js';
import type { Onward, ScreenRequest } from '../frame/screen.js';
import type { Place } from './places.js';

const isCurrent = ({ changeRequest, revision }: Place): boolean => !changeRequest && revision === undefined;

/** Notes which content of a space a person reads. Nobody waits for it, and a page that cannot be noted is read all the same. */
export function noteReading({ call }: Pick<ScreenRequest, 'call'>, place: Place): void {
  const { id: space, revision } = place.space;
  if (isCurrent(place)) call(noteVisit, { space, revision }).catch(() => {});
}

/** Whether the space is a favourite of the person; undefined in content that is not the current one. */
export const favouriteOf = async ({ call }: Pick<ScreenRequest, 'call'>, place: Place): Promise<boolean | undefined> =>
  isCurrent(place) ? call(isFavourite, { space: place.space.id }) : undefined;

interface Favourite {
  favourite: boolean | undefined;
  /** The page that is shown: the person comes back to it. */
  path: string;
}

export function favouriteButton(
  { to, words: { home }, formToken }: ScreenRequest,
  { space }: Place,
  { favourite, path }: Favourite,
): VNode | null {
  if (favourite === undefined) return null;
  return (
    <Form token={formToken} action="favourite" to={to.space(space.id)}>
      <input type="hidden" name="favourite" value={favourite ? 'no' : 'yes'} />
      <input type="hidden" name="page" value={path} />
      <Button kind="plain" name={favourite ? home.notFavourite : home.favourite}>
        {iconSvg('star', favourite ? 'solid' : 'regular', 'sign')}
      </Button>
    </Form>
  );
}

export async function makeFavourite(
  { call, path, to }: Pick<ScreenRequest, 'call' | 'to'> & { path: { space: string } },
  fields: FormFields,
): Promise<Onward> {
  await call(setFavourite, { space: path.space, favourite: fields.raw('favourite') === 'yes' });
  return { to: to.page(path.space, fields.raw('page')) };
}
