#!/usr/bin/python3
"""Runs a command with a seccomp profile, to test the profile without a container engine. The command has no new
privileges, no capabilities and, when started by root, another user.

    apt-get install python3-seccomp
    deploy/docker/under-seccomp.py deploy/docker/chromium-seccomp.json chromium-headless-shell --dump-dom about:blank
"""
import ctypes
import errno
import json
import os
import sys

import seccomp

UID = 1000
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38

COMPARE = {"SCMP_CMP_EQ": seccomp.EQ, "SCMP_CMP_MASKED_EQ": seccomp.MASKED_EQ}


def action(rule, default_errno):
    if rule["action"] == "SCMP_ACT_ALLOW":
        return seccomp.ALLOW
    return seccomp.ERRNO(rule.get("errnoRet", default_errno))


def argument(arg):
    values = [arg["value"]]
    if arg["op"] == "SCMP_CMP_MASKED_EQ":
        values.append(arg["valueTwo"])
    return seccomp.Arg(arg["index"], COMPARE[arg["op"]], *values)


def build_filter(profile):
    default_errno = profile.get("defaultErrnoRet", errno.EPERM)
    built = seccomp.SyscallFilter(seccomp.ERRNO(default_errno))
    # give_up_rights sets no_new_privs itself. libseccomp would do it later, without the rights it needs.
    built.set_attr(seccomp.Attr.CTL_NNP, 0)
    for rule in profile["syscalls"]:
        for name in rule["names"]:
            # Names that this libseccomp or processor does not know stay refused, as with runc.
            if seccomp.resolve_syscall(seccomp.Arch(), name) < 0:
                continue
            built.add_rule(action(rule, default_errno), name, *map(argument, rule.get("args", [])))
    return built


def give_up_rights(libc):
    if os.geteuid() == 0:
        capability = 0
        while libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
            capability += 1
        os.setgroups([])
        os.setresgid(UID, UID, UID)
        os.setresuid(UID, UID, UID)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        sys.exit("the kernel refuses PR_SET_NO_NEW_PRIVS")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path, *command = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        built = build_filter(json.load(file))
    give_up_rights(ctypes.CDLL(None, use_errno=True))
    built.load()
    os.execvp(command[0], command)


main()
