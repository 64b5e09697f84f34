import { linkMail } from './link-mail.js';

it('shows what people wrote as text on one line of bounded length, without a link', () => {
  const organization = 'A <b>&</b> "B"\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>';
  const inviter = '\u202eeve\u0000'.repeat(1000);
  const link = 'https://docs.example/app/sign-in?code=c';
  const mail = linkMail(link, '2030-01-01T00:00:00.000Z', { id: 'org', organization, inviter });
  expect(mail.subject).toBe(
    'You are invited to A <b>&</b> "B" Bcc: eve@\u200bexample.\u200bcom <script>alert(1)</script>',
  );
  expect(mail.html).not.toMatch(/<(b|script)>/);
  expect(mail.html).toContain('A &lt;b&gt;&amp;&lt;/b&gt; &quot;B&quot;');
  expect(mail.text.split('\n')[0]?.length).toBeLessThan(250);
});
