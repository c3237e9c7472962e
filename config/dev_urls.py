"""Addresses that exist outside of production only: reading the mails that were written to files."""

from django.urls import path

from config import dev_mail

urlpatterns = [
    path("mail", dev_mail.mails, name="dev-mails"),
    path("mail/<str:file>/<int:number>", dev_mail.mail, name="dev-mail"),
    path("mail/<str:file>/<int:number>/html", dev_mail.html_part, name="dev-mail-html"),
]
