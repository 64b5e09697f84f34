import { MongoServerError } from 'mongodb';
import { translateError } from './outages.js';

it('a full disk of MongoDB is UNAVAILABLE, with nothing changed', () => {
  const error = new MongoServerError({ message: 'available disk space is less than required', code: 14031 });
  expect(translateError('write', error)).toMatchObject({ type: 'UNAVAILABLE', cause: error });
});
