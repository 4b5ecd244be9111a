import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '../limits.ts'
import { hostOf, readAddress, type AddressRules } from './address.ts'
import { reachable } from './networks.ts'

const secureOnly: AddressRules = { allowsHttp: false, isReachable: reachable([]) }
const plainToo: AddressRules = { allowsHttp: true, isReachable: reachable([]) }

/** What is connected to, or why not. */
function read(text: string, rules = plainToo): string {
  const answer = readAddress(text, rules)
  return 'why' in answer
    ? answer.why
    : `${answer.url.protocol}//${hostOf(answer.url)}:${answer.url.port}${answer.url.pathname}${answer.url.search}`
}

describe('the address of a webhook', () => {
  it('is https, and http where that is allowed', () => {
    assert.equal(read('https://hooks.example.com/a?b=c', secureOnly), 'https://hooks.example.com:/a?b=c')
    assert.equal(read('HTTPS://Hooks.Example.COM', secureOnly), 'https://hooks.example.com:/')
    assert.equal(read('http://hooks.example.com/', plainToo), 'http://hooks.example.com:/')
    assert.equal(read('http://hooks.example.com/', secureOnly), 'The address must begin with https://.')
    for (const text of [
      'ftp://example.com/',
      'ws://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'gopher://example.com/',
      'unix:/run/x',
    ])
      assert.match(read(text), /must begin with|not a web address/, text)
  })

  it('may be an international name, which is sent in its ASCII form', () => {
    assert.equal(read('https://пример.рф/путь'), 'https://xn--e1afmkfd.xn--p1ai:/%D0%BF%D1%83%D1%82%D1%8C')
    assert.equal(read('https://hooks。example。com/'), 'https://hooks.example.com:/')
  })

  it('is not taken without a host, or with one that has empty parts', () => {
    for (const text of [
      '',
      'https',
      'https:',
      'https://',
      'https:///',
      'https:example.com',
      'https:/example.com',
      '//example.com',
      'example.com/hook',
      'https://?',
      'https://:443/',
    ])
      assert.match(read(text), /not a web address/, text)
    for (const text of [
      'https://example.com./',
      'https://localhost./',
      'https://a..b/',
      'https://.a/',
      'https://./',
      'https://example.com。/',
    ])
      assert.match(read(text), /host name is empty|not a web address/, text)
  })

  it('has no user name, password or fragment, no space, backslash or invisible character', () => {
    for (const text of [
      'https://a@example.com/',
      'https://a:b@example.com/',
      'https://@example.com/',
      'https://:@example.com/',
      'https://example.com@127.0.0.1/',
    ])
      assert.equal(read(text), 'The address has a user name or password.', text)
    assert.match(read('https://example.com/#a'), /fragment/)
    assert.match(read('https://example.com#@127.0.0.1/'), /fragment/)
    for (const text of [
      ' https://example.com/',
      'https://example.com/\n',
      'https://exa\tmple.com/',
      'https://example.com/a b',
      'https://example.com\\@127.0.0.1/',
      'https:\\\\example.com/',
      'https://exa\u00admple.com/',
      'https://exa\u200bmple.com/',
      'https://example.com/\u202etxt',
      'https://example.com/\0',
    ])
      assert.match(read(text), /space, a backslash or an invisible/, text)
    assert.equal(read('https://example.com/@a'), 'https://example.com:/@a')
    assert.match(read(`https://example.com/${'x'.repeat(limits.url.most - 19)}`), /more than/)
    assert.match(read(`https://example.com/${'x'.repeat(limits.url.most - 20)}`), /^https/)
  })

  it('is no IP address of a special network, however it is spelled', () => {
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '0x7f000001',
      '0X7F.0.0.0x1',
      '2130706433',
      '017700000001',
      '0177.0.0.01',
      '00000000177.1',
      '127.1',
      '127.0.1',
      '127.0.0.1.',
      '0',
      '0x0',
      '%31%32%37.0.0.1',
      '127%2e0%2e0%2e1',
      '１２７.0.0.1',
      '127。0。0。1',
      '①②⑦.⓪.⓪.①',
      '0xa9fea9fe',
      '169.254.43518',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0000:0000:0000:0000:0000:FFFF:7F00:0001]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fec0::1]',
      '[fd00::1]',
    ])
      assert.match(read(`http://${host}/`), /network that webhooks may not be sent to|part of the host name/, host)
  })

  it('is not taken where the URL Standard finds no host', () => {
    for (const host of [
      '[fe80::1%25eth0]',
      '[fe80::1%eth0]',
      '[::1%25lo]',
      '256.0.0.1',
      '1.2.3.4.5',
      '0x7f.0.0.0.1',
      '4294967296',
      '[::ffff:127.0.0.256]',
      '[1]',
      '::1',
      '127.0.0.1:x',
      'a%00b',
      'a%2fb',
      'a<b',
    ])
      assert.equal(read(`http://${host}/`), 'This is not a web address.', host)
  })

  it('may be another spelling of a public IP address, which is read as one', () => {
    assert.equal(read('http://0x08080808/'), 'http://8.8.8.8:/')
    assert.equal(read('http://[::FFFF:8.8.8.8]:8080/'), 'http://::ffff:808:808:8080/')
  })

  it('may be an IP address of a listed network', () => {
    const rules = { allowsHttp: true, isReachable: reachable(['127.0.0.0/8', '::1']) }
    assert.equal(read('http://0x7f.1:8080/', rules), 'http://127.0.0.1:8080/')
    assert.equal(read('http://[::1]:8080/', rules), 'http://::1:8080/')
  })

  it('has port 80, 443 or one from 1024 on, but none of another protocol', () => {
    for (const port of ['80', '443', '1024', '3000', '8080', '8443', '65535'])
      assert.match(read(`https://example.com:${port}/`), /^https:\/\/example/, port)
    assert.equal(read('https://example.com:/'), 'https://example.com:/')
    for (const port of [
      '0',
      '1',
      '21',
      '22',
      '25',
      '79',
      '81',
      '110',
      '444',
      '465',
      '993',
      '1023',
      '2049',
      '5060',
      '6000',
      '6667',
      '10080',
      '00025',
    ])
      assert.match(read(`https://example.com:${port}/`), /may not be sent to port/, port)
    assert.equal(read('https://example.com:65536/'), 'This is not a web address.')
  })
})
