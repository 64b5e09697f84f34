import { changesOf } from './changes.js';

interface Thing {
  _id: string;
  title: string;
  icon?: string;
  level: string | null;
  tags?: string[];
}
const thing: Thing = { _id: '1', title: 'One', icon: 'star', level: 'read', tags: ['a'] };

it('absent is unchanged, the same is no change', () => {
  expect(changesOf(thing, {})).toBeNull();
  expect(changesOf(thing, { title: undefined, icon: 'star', tags: ['a'] })).toBeNull();
  expect(changesOf({ _id: '1', title: 'One', level: null } as Thing, { icon: null, tags: null })).toBeNull();
});

it('null clears an optional field', () => {
  expect(changesOf(thing, { icon: null, title: 'Two' })).toEqual({
    update: { $set: { title: 'Two' }, $unset: { icon: true } },
    details: { title: 'Two', icon: null },
    after: { _id: '1', title: 'Two', level: 'read', tags: ['a'] },
  });
});

it('null is a value where the field stores it', () => {
  const options = { nullable: ['level'] } as const;
  expect(changesOf(thing, { level: null }, options)).toEqual({
    update: { $set: { level: null } },
    details: { level: null },
    after: { ...thing, level: null },
  });
  expect(changesOf({ ...thing, level: null }, { level: null }, options)).toBeNull();
});

it('an empty string is a value, an update holds no empty operator', () => {
  expect(changesOf(thing, { title: '' })?.update).toEqual({ $set: { title: '' } });
  expect(changesOf(thing, { icon: null })?.update).toEqual({ $unset: { icon: true } });
  expect(changesOf(thing, { tags: ['a', 'b'] })?.details).toEqual({ tags: ['a', 'b'] });
});
