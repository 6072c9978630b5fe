import { expect, test } from '@jest/globals';
import { ApiProblem, OfflineError, UploadRefused } from './api-errors';
import { uploadFailure } from './upload-failure';

const html = (status: number, statusText: string) => ({ status, statusText, contentType: 'text/html', text: `<html><h1>${status} ${statusText}</h1></html>` });
const xml = (status: number, code: string, message: string) => ({
  status,
  statusText: '',
  contentType: 'application/xml',
  text: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`,
});

test.each([
  [html(413, 'Request Entity Too Large'), 'A proxy between you and Roughmix does not accept files of this size.'],
  [html(403, 'Forbidden'), 'A proxy between you and Roughmix refused this file: 403 Forbidden'],
  [{ ...html(403, ''), text: '' }, 'A proxy between you and Roughmix refused this file: 403'],
  [
    { ...html(400, 'Bad Request'), contentType: 'application/json', text: '{"error": "blocked"}' },
    'A proxy between you and Roughmix refused this file: 400 Bad Request',
  ],
  [{ ...html(400, 'Bad Request'), contentType: 'application/json', text: '{' }, 'A proxy between you and Roughmix refused this file: 400 Bad Request'],
  [xml(403, 'AccessDenied', 'Request has expired &amp; is void'), 'The file store refused this file: Request has expired & is void'],
  [xml(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size'), 'The file store does not accept files of this size.'],
])('%o is reported as what it is', (response, sentence) => {
  const failure = uploadFailure(response);
  expect(failure).toBeInstanceOf(UploadRefused);
  expect(failure.message).toBe(sentence);
});

test.each([
  html(502, 'Bad Gateway'),
  html(504, 'Gateway Timeout'),
  xml(400, 'RequestTimeout', 'Your socket connection was not read'),
  xml(503, 'SlowDown', 'Please slow down'),
])('%o may succeed later', (response) => expect(uploadFailure(response)).toBeInstanceOf(OfflineError));

test('a refusal of Roughmix keeps its code', () => {
  const problem = { code: 'upload.too-large', status: 413, detail: 'Preview file must be smaller than 48 MB' };
  const failure = uploadFailure({ status: 413, statusText: '', contentType: 'application/problem+json', text: JSON.stringify(problem) });
  expect(failure).toBeInstanceOf(ApiProblem);
  expect(failure).toHaveProperty('problem', problem);
});
