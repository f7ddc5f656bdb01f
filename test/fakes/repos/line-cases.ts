// Lines as changes add them: for each rule of the embedded panel those that it must report, and near misses.

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines are data, also those of other languages.

export interface Cases {
  readonly fires: readonly (readonly [path: string, line: string])[]
  readonly silent: readonly (readonly [path: string, line: string])[]
}

export const CASES: Readonly<Record<string, Cases>> = {
  'WITAN-RISK-001': {
    fires: [
      ['src/a.js', 'const v = eval(input)'],
      ['src/a.ts', 'return new Function(body)'],
      ['src/a.ts', 'vm.runInNewContext(code)'],
      ['src/a.py', 'exec(source)'],
      ['src/a.py', 'value = eval(text)'],
      ['src/a.php', 'eval($code);'],
      ['src/a.rb', 'obj.instance_eval(code)'],
    ],
    silent: [
      ['src/a.js', 'model.eval(input)'],
      ['src/a.js', 'const retrieval = medieval(x)'],
      ['src/a.ts', "const f = new Function('return 1')"],
      ['src/a.py', 'model.eval()'],
      ['src/a.py', 'ast.literal_eval(text)  # not eval(x)'],
      ['src/a.rs', 'let v = eval(x);'],
      ['test/a.test.js', 'eval(x)'],
    ],
  },
  'WITAN-RISK-002': {
    fires: [
      ['src/a.js', 'execSync(`git log ${ref}`)'],
      ['src/a.js', "exec('ls ' + folder, done)"],
      ['src/a.js', 'child_process.exec(command, done)'],
      ['src/a.ts', 'spawn(name, args, { shell: true })'],
      ['src/a.py', 'os.system(cmd)'],
      ['src/a.py', 'subprocess.run(cmd, shell=True)'],
      ['src/a.go', 'exec.Command("sh", "-c", script)'],
      ['src/a.rb', 'system("tar #{name}")'],
      ['src/a.php', 'shell_exec("ls " . $x);'],
      ['src/a.c', 'system(buffer);'],
    ],
    silent: [
      ['src/a.js', "execSync('git status')"],
      ['src/a.js', 'const match = pattern.exec(text)'],
      ['src/a.ts', "execFile('git', ['log', ref])"],
      ['src/a.py', "subprocess.run(['ls', name])"],
      ['src/a.go', 'exec.Command("git", "log", ref)'],
      ['src/a.c', 'filesystem(buffer);'],
    ],
  },
  'WITAN-RISK-003': {
    fires: [
      ['src/a.ts', 'node.innerHTML = text'],
      ['src/a.ts', 'node.innerHTML += `<b>${x}</b>`'],
      ['src/a.tsx', '<div dangerouslySetInnerHTML={{ __html: x }} />'],
      ['src/a.js', "node.insertAdjacentHTML('beforeend', x)"],
      ['src/a.js', 'document.write(x)'],
      ['src/a.py', 'return mark_safe(text)'],
    ],
    silent: [
      ['src/a.ts', "node.innerHTML = ''"],
      ['src/a.ts', 'if (node.innerHTML === text) return'],
      ['src/a.ts', 'node.textContent = text'],
      ['src/a.py', "return mark_safe('<br>')"],
    ],
  },
  'WITAN-RISK-004': {
    fires: [
      ['src/a.ts', 'db.query(`SELECT * FROM users WHERE name = ${name}`)'],
      ['src/a.ts', 'db.query(`DELETE FROM ${table}`)'],
      ['src/a.ts', "db.query('DELETE FROM users WHERE id = ' + id)"],
      ['src/a.py', 'cursor.execute(f"SELECT * FROM t WHERE id = {id}")'],
      ['src/a.py', 'cursor.execute("SELECT * FROM t WHERE id = %s" % id)'],
      ['src/A.java', 'st.executeQuery("SELECT a FROM t WHERE b = " + b);'],
      ['src/a.go', 'db.Query(fmt.Sprintf("SELECT a FROM t WHERE b = %s", b))'],
      ['src/a.rb', 'db.exec("UPDATE t SET a = #{a}")'],
    ],
    silent: [
      ['src/a.ts', 'db.query(`SELECT * FROM users WHERE name = $1`, [name])'],
      ['src/a.ts', 'await sql`SELECT * FROM users WHERE name = ${name}`'],
      ['src/a.ts', 'db.query(`SELECT ${COLUMNS} FROM users`)'],
      ['src/a.ts', 'db.query(`SELECT a FROM ${schema}.users WHERE id = $1`, [id])'],
      ['src/a.ts', 'log(`Select a file from ${folder}`)'],
      ['src/a.py', 'cursor.execute("SELECT * FROM t WHERE id = %s", (id,))'],
      ['src/A.java', 'String s = "SELECT a FROM t " + "WHERE b = ?";'],
    ],
  },
  'WITAN-RISK-005': {
    fires: [
      ['src/a.py', 'data = pickle.loads(body)'],
      ['src/a.py', 'conf = yaml.load(stream)'],
      ['src/a.php', '$x = unserialize($_POST["x"]);'],
      ['src/A.java', 'new ObjectInputStream(in).readObject();'],
      ['src/a.rb', 'Marshal.load(data)'],
    ],
    silent: [
      ['src/a.py', 'conf = yaml.safe_load(stream)'],
      ['src/a.py', 'conf = yaml.load(stream, Loader=SafeLoader)'],
      ['src/a.py', 'data = json.loads(body)'],
      ['src/a.rb', 'YAML.safe_load(data)'],
    ],
  },
  'WITAN-RISK-006': {
    fires: [
      ['src/a.ts', 'const agent = new Agent({ rejectUnauthorized: false })'],
      ['src/a.ts', "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'"],
      ['src/a.py', 'requests.get(url, verify=False)'],
      ['src/a.go', 'tls.Config{InsecureSkipVerify: true}'],
      ['src/a.rs', '.danger_accept_invalid_certs(true)'],
      ['run.sh', 'curl -sk https://host'],
      ['run.sh', 'curl --insecure https://host'],
    ],
    silent: [
      ['src/a.ts', 'new Agent({ rejectUnauthorized: true })'],
      ['src/a.py', 'requests.get(url, verify=True)'],
      ['src/a.py', 'elif context.verify_mode != CERT_NONE:'],
      ['run.sh', 'curl -sSfL https://host'],
      ['run.sh', 'curl --keepalive-time 2 https://host'],
    ],
  },
  'WITAN-RISK-007': {
    fires: [
      ['run.sh', 'chmod -R 777 /srv'],
      ['Dockerfile', 'RUN chmod 777 /data'],
      ['src/a.ts', "chmodSync('/srv', 0o777)"],
      ['src/a.py', 'os.chmod(path, 0o777)'],
    ],
    silent: [
      ['run.sh', 'chmod 755 /srv'],
      ['run.sh', 'echo 777'],
      ['src/a.ts', 'const port = 7770'],
    ],
  },
  'WITAN-RISK-008': {
    fires: [
      ['src/a.ts', 'const token = Math.random().toString(36)'],
      ['src/a.ts', 'const newSession = () => Math.random()'],
      ['src/a.py', "password = ''.join(random.choices(letters, k=8))"],
    ],
    silent: [
      ['src/a.ts', 'const jitter = Math.random() * 100'],
      ['src/a.ts', 'send(list[Math.floor(Math.random() * n)], sessionId)'],
      ['src/a.py', 'token = secrets.token_hex()'],
      ['src/a.py', 'password = random.SystemRandom().choice(x)'],
    ],
  },
  'WITAN-RISK-009': {
    fires: [
      ['src/a.ts', "fetch('http://api.company.com/v1')"],
      ['deploy.yml', 'url: http://mirror.company.org/x'],
    ],
    silent: [
      ['src/a.ts', "fetch('https://api.company.com/v1')"],
      ['src/a.ts', "fetch('http://localhost:3000')"],
      ['src/a.ts', "fetch('http://127.0.0.1:11434/v1')"],
      ['src/a.ts', "const NS = 'http://www.w3.org/2000/svg'"],
      ['src/a.ts', '// see http://api.company.com/v1'],
      ['src/a.ts', "fetch('http://example.com')"],
      ['src/a.ts', "new URL(path, 'http://base.company.com')"],
      ['README.md', 'http://api.company.com/v1'],
    ],
  },
  'WITAN-RISK-010': {
    fires: [
      ['src/a.ts', "createHash('md5')"],
      ['src/a.py', 'hashlib.sha1(data)'],
      ['src/a.go', 'h := md5.New()'],
    ],
    silent: [
      ['src/a.ts', "createHash('sha256')"],
      ['src/a.py', 'hashlib.md5(data, usedforsecurity=False)'],
      ['src/a.ts', "const name = 'md5'"],
    ],
  },
  'WITAN-RISK-011': {
    fires: [
      ['install.sh', 'curl -fsSL https://get.tool.dev | sh'],
      ['Dockerfile', 'RUN wget -qO- https://get.tool.dev | sudo bash'],
      ['install.sh', 'bash <(curl -s https://get.tool.dev)'],
    ],
    silent: [
      ['install.sh', 'curl -o tool.sh https://get.tool.dev'],
      ['install.sh', 'curl https://api.tool.dev | jq .'],
      ['README.md', 'curl -fsSL https://get.tool.dev | sh'],
    ],
  },
  'WITAN-RISK-012': {
    fires: [
      ['.github/workflows/a.yml', 'run: echo "${{ github.event.pull_request.title }}"'],
      ['.github/workflows/a.yml', '  echo ${{ github.head_ref }}'],
    ],
    silent: [
      ['.github/workflows/a.yml', '  TITLE: ${{ github.event.pull_request.title }}'],
      ['.github/workflows/a.yml', 'run: echo ${{ github.sha }}'],
      ['other/a.yml', 'run: echo "${{ github.event.pull_request.title }}"'],
    ],
  },
  'WITAN-RISK-013': {
    fires: [
      ['src/a.ts', '} catch {}'],
      ['src/a.ts', 'await save().catch(() => {})'],
      ['src/a.py', 'except Exception: pass'],
      ['src/a.rb', 'value = load rescue nil'],
    ],
    silent: [
      ['src/a.ts', '} catch { /* it may be gone already */ }'],
      ['src/a.ts', 'await client.end().catch(() => {})'],
      ['src/a.ts', "await client.query('ROLLBACK').catch(() => {})"],
      ['src/a.ts', 'const found = await stat(path).catch(() => null)'],
      ['src/a.py', 'except KeyError: pass'],
    ],
  },
  'WITAN-RISK-014': {
    fires: [
      ['src/a.c', 'strcpy(to, from);'],
      ['src/a.cpp', 'sprintf(out, "%s", in);'],
    ],
    silent: [
      ['src/a.c', 'snprintf(out, size, "%s", in);'],
      ['src/a.c', 'fgets(line, size, in);'],
    ],
  },
  'WITAN-RISK-015': {
    fires: [
      ['db/002.sql', 'DROP TABLE accounts;'],
      ['db/002.sql', 'ALTER TABLE a DROP COLUMN b;'],
      ['db/002.sql', 'DELETE FROM accounts;'],
      ['clean.sh', 'rm -rf $TARGET/'],
      ['clean.sh', 'rm -rf "$TARGET"/*'],
    ],
    silent: [
      ['db/002.sql', 'DELETE FROM accounts WHERE closed;'],
      ['db/002.sql', 'DROP TEMPORARY TABLE scratch;'],
      ['db/002.sql', '-- DROP TABLE accounts;'],
      ['clean.sh', 'rm -rf build'],
      ['clean.sh', 'rm -rf "${TARGET:?}"/*'],
    ],
  },
  'WITAN-RISK-016': {
    fires: [
      ['app/settings.py', 'DEBUG = True'],
      ['app/main.py', 'app.run(host=h, debug=True)'],
    ],
    silent: [
      ['app/settings.py', 'DEBUG = os.environ.get("DEBUG") == "1"'],
      ['app/settings.py', 'DEBUG = False'],
    ],
  },
  'WITAN-TEST-004': {
    fires: [
      ['src/a.test.ts', "it.skip('works', () => {})"],
      ['src/a.test.ts', "  xit('works', () => {})"],
      ['src/a.test.ts', "describe.skip('all', () => {"],
      ['tests/test_a.py', '@pytest.mark.skip(reason="flaky")'],
      ['tests/test_a.py', '    @unittest.skip("flaky")'],
      ['pkg/a_test.go', '\tt.Skip("flaky")'],
      ['src/lib.rs', '    #[ignore]'],
      ['src/test/java/ATest.java', '  @Disabled("flaky")'],
      ['spec/a_spec.rb', "  xit 'works' do"],
    ],
    silent: [
      ['src/a.test.ts', "it.skipIf(windows)('works', () => {})"],
      ['src/a.test.ts', 'stream.skip(3)'],
      ['src/a.test.ts', "it('says it.skip(', () => {})"],
      ['tests/test_a.py', '@pytest.mark.skipif(sys.platform == "win32")'],
      ['pkg/a_test.go', '\t\tt.Skip("needs a server")'],
      ['src/a.ts', 'list.skip(1)'],
    ],
  },
  'WITAN-TEST-005': {
    fires: [
      ['src/a.test.ts', "it.only('works', () => {})"],
      ['src/a.test.ts', "describe.only('all', () => {"],
      ['src/a.spec.js', "  fit('works', () => {})"],
      ['spec/a_spec.rb', "  it 'works', focus: true do"],
    ],
    silent: [
      ['src/a.test.ts', "it('only works', () => {})"],
      ['src/a.test.ts', 'const model = fit(data)'],
      ['src/a.ts', 'test.only(1)'],
    ],
  },
  'WITAN-MERGE-001': {
    fires: [
      ['src/a.ts', '<<<<<<< HEAD'],
      ['README.md', '>>>>>>> feature/x'],
      ['src/a.ts', '||||||| merged common ancestors'],
    ],
    silent: [
      ['README.md', '======='],
      ['src/a.ts', 'const x = 1 <<<<<<< 2'],
      ['README.md', '>>> quoted thrice'],
      ['src/a.ts', "  '<<<<<<< HEAD'"],
    ],
  },
  'WITAN-TODO-001': {
    fires: [
      ['src/a.ts', '// TODO: later'],
      ['src/a.ts', 'call() // FIXME this breaks'],
      ['src/a.py', '# XXX wrong for leap years'],
      ['src/a.ts', '/* HACK: until the next release */'],
      ['notes.md', 'TODO: write this'],
    ],
    silent: [
      ['src/a.ts', "const status = 'TODO'"],
      ['src/a.ts', '// every TODO is listed'],
      ['src/a.ts', '// format: XXX-XXXX'],
      ['notes.md', 'The word TODO is reported.'],
    ],
  },
  'WITAN-DEBUG-001': {
    fires: [
      ['src/a.ts', '  debugger'],
      ['src/a.py', '    pdb.set_trace()'],
      ['src/a.py', '    breakpoint()'],
      ['app/a.rb', '  binding.pry'],
    ],
    silent: [
      ['src/a.ts', 'attach(debugger_)'],
      ['src/a.ts', "say('debugger')"],
      ['src/a.py', 'set_breakpoint(3)'],
    ],
  },
  'WITAN-DEBUG-002': {
    fires: [
      ['src/a.ts', "console.log('here', x)"],
      ['src/a.py', '    print(value)'],
      ['src/a.rs', 'dbg!(x);'],
      ['src/a.php', 'var_dump($x);'],
    ],
    silent: [
      ['src/a.ts', "console.error('failed')"],
      ['scripts/a.ts', 'console.log(1)'],
      ['src/cli/a.ts', 'console.log(1)'],
      ['src/a.test.ts', 'console.log(1)'],
      ['src/a.ts', '// console.log(x)'],
      ['src/a.py', 'print(value, file=out)'],
    ],
  },
  'WITAN-HIDDEN-001': {
    fires: [
      ['src/a.ts', 'if (admin\u202e) return'],
      ['src/a.py', 'x = "\u2066y"'],
    ],
    silent: [
      ['src/a.ts', "const hebrew = 'שלום'"],
      ['src/a.ts', "const escaped = '\\u202e'"],
    ],
  },
}
