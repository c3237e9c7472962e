"""docker/: the compose file says the same as the code that starts the stack without an engine, and keeps no secret."""

import re
import shutil
import subprocess

import pytest
import yaml

from config.processes import HOST, ROOT, WORKERS, commands, free_port

DOCKER = ROOT / "docker"
COMPOSE = yaml.safe_load((DOCKER / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD", "EMAIL_URL")
VARIABLE = re.compile(r"\$\{(\w+)(?::?([-?])([^}]*))?\}")


def words(service):
    """A service's command as it runs where nothing is set."""
    return VARIABLE.sub(lambda found: found[3] if found[2] == "-" else "", SERVICES[service]["command"]).split()


def stages():
    """The targets of the image: {name: lines}."""
    found, name = {}, ""
    for line in (DOCKER / "Dockerfile").read_text().splitlines():
        if line.startswith("FROM "):
            name = line.rpartition(" AS ")[2]
            found[name] = []
        elif name:
            found[name].append(line)
    return found


def test_every_part_is_started_as_without_an_engine():
    parts = commands("0.0.0.0", 8000, 8001)
    assert {name: words(name) for name in parts} == {name: ["python", "-m", *line] for name, line in parts.items()}


def test_the_workers_together_serve_all_queues_and_one_alone_does_too(settings):
    served = [set(queues) for _processes, queues in WORKERS.values()]
    assert set.union(*served) == set(settings.QUEUES)
    assert set(settings.QUEUES) in served
    assert not {"opponents", "notices"} & served[0], "nothing slow is in the way of a deal"


def test_no_secret_has_a_value_or_a_default():
    text = (DOCKER / "compose.yaml").read_text()
    for name in SECRETS:
        uses = [found for found in VARIABLE.finditer(text) if found[1] == name]
        assert uses, name
        assert {found[2] for found in uses} == {"?"}, f"without {name} nothing may start"
    for line in (DOCKER / ".env.example").read_text().splitlines():
        assert line.startswith("#") or line.endswith("=") or not line, line


def test_every_setting_that_is_asked_for_is_in_the_example():
    asked = {found[1] for found in VARIABLE.finditer((DOCKER / "compose.yaml").read_text()) if found[2] == "?"}
    assert asked <= {line.partition("=")[0] for line in (DOCKER / ".env.example").read_text().splitlines()}


def test_nothing_runs_as_root_or_may_become_it():
    for name, service in SERVICES.items():
        if "build" in service:
            users = [line.split()[1] for line in stages()[service["build"]["target"]] if line.startswith("USER ")]
            assert users, name
            assert users[-1] not in ("root", "0"), name
        else:
            assert service["user"] not in ("root", "0"), name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert not service.get("privileged"), name


def test_services_that_last_are_started_again_and_asked_for_their_health():
    for name, service in SERVICES.items():
        if service["restart"] == "no":
            assert name in ("migrate", "backup", "restore")
            continue
        assert service["restart"] == "unless-stopped", name
        # The proxy's check is in its image.
        image = stages().get(service.get("build", {}).get("target"), [])
        assert service.get("healthcheck", {}).get("test") or any("HEALTHCHECK" in line for line in image), name


def test_what_is_used_is_declared_and_only_the_proxy_is_reached_from_outside():
    for name, service in SERVICES.items():
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in COMPOSE["volumes"], name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        for other in service.get("depends_on", {}):
            assert other in SERVICES, name
        assert ("ports" in service) == (name == "proxy")
    assert SERVICES["postgres"]["networks"] == SERVICES["redis"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_image_is_made_of_files_that_are_there_and_go_to_the_engine():
    sent = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for lines in stages().values():
        for line in lines:
            if line.startswith("COPY ") and "--from" not in line:
                for source in line.split()[1:-1]:
                    assert (ROOT / source).exists(), source
                    assert source in sent, source
    assert all((ROOT / source).exists() for source in sent)


def test_the_proxy_leads_to_where_the_parts_listen():
    proxied = set(re.findall(r"\{\$(?:WEB|LIVE):([\w:]+)\}", (DOCKER / "Caddyfile").read_text()))
    assert proxied == {"web:8000", "live:8001"}


def test_a_server_that_does_not_answer_is_unhealthy_and_one_that_does_is_not(live_server):
    def asked(port):
        return subprocess.run(["python3", DOCKER / "healthy.py", str(port)], check=False, timeout=30).returncode

    assert asked(live_server.url.rpartition(":")[2]) == 0
    assert asked(free_port()) == 1
    assert HOST in live_server.url or "localhost" in live_server.url


def compose():
    """Words that start docker compose, as part of docker or as a program of its own; none where neither is."""
    for words in (["docker", "compose"], ["docker-compose"]):
        program = shutil.which(words[0])
        if program and not subprocess.run([*words, "version"], capture_output=True, check=False).returncode:
            return [program, *words[1:]]
    return []


def read_by_compose(tmp_path, missing="", change=lambda text: text):
    """What compose says of the file with all secrets, with one `missing`, or with a `change`: status and errors."""
    words = compose()
    version = subprocess.run([*words, "version", "--short"], capture_output=True, text=True, check=True).stdout
    text = change((DOCKER / "compose.yaml").read_text())
    if version.startswith("1."):  # Debian 12 has the last of them; it reads all of the file but for the site's name
        text = re.sub(r"^name:.*$", "", text, flags=re.MULTILINE)
    file = tmp_path / "compose.yaml"
    file.write_text(text)
    environment = dict.fromkeys({*SECRETS, "BRANCHLINE_HOSTS", "BRANCHLINE_MAIL_FROM"} - {missing}, "x")
    done = subprocess.run(
        [*words, "--project-directory", str(DOCKER), "--file", str(file), "--profile", "by-hand", "config", "--quiet"],
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(not compose(), reason="docker compose is not installed")
def test_compose_itself_reads_the_file_and_nothing_starts_without_a_secret(tmp_path):
    assert read_by_compose(tmp_path) == (0, "")
    for name in SECRETS:
        status, said = read_by_compose(tmp_path, missing=name)
        assert status, name
        assert name in said
    status, said = read_by_compose(tmp_path, change=lambda text: text.replace("cap_drop", "cap_drip"))
    assert status, "it looks at what stands in the file"
    assert "cap_drip" in said


@pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed")
@pytest.mark.parametrize(
    ("hosts", "change", "right"),
    [
        ("branchline.example, www.branchline.example", ("", ""), True),
        ("branchline.example", ("", ""), True),
        ("branchline.example", ("file_server", "file_servant"), False),
    ],
)
def test_the_proxy_itself_reads_its_file(tmp_path, hosts, change, right):
    file = tmp_path / "Caddyfile"
    file.write_text((DOCKER / "Caddyfile").read_text().replace(*change))
    done = subprocess.run(
        [shutil.which("caddy"), "validate", "--adapter", "caddyfile", "--config", str(file)],
        env={"BRANCHLINE_HOSTS": hosts, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is right, done.stderr


@pytest.mark.parametrize("script", ["backup.sh", "restore.sh"])
def test_scripts_are_well_formed(script):
    subprocess.run(["sh", "-n", DOCKER / script], check=True)
